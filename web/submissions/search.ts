import * as z from 'zod/mini';
import { submissionPageSizes } from '#shared/choices.ts';
import { positiveInt } from '../lib/search-values.ts';

/** The search parameters of the submission form: the page of the person's own submissions, from one. */
export const submitSearch = z.object({ page: positiveInt });

/** The search parameters of the review. Unknown values count as missing. */
export const reviewSearch = z.object({
  /** Missing for the pending submissions. */
  status: z.catch(z.optional(z.enum(['approved', 'rejected'])), undefined),
  /** From one. */
  page: positiveInt,
  pageSize: z.catch(z.optional(z.pipe(z.coerce.number(), z.literal([...submissionPageSizes]))), undefined),
});
