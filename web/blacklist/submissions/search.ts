import * as z from 'zod/mini';
import { submissionPageSizes } from '#shared/blacklist/choices.ts';
import { positiveInt } from '../../platform/search-values.ts';

/** The search parameters of the submission form. `page` is the one-based page of the user's submissions. */
export const submitSearch = z.object({ page: positiveInt });

/** The search parameters of the review. Unknown values are ignored. */
export const reviewSearch = z.object({
  /** Undefined for pending submissions. */
  status: z.catch(z.optional(z.enum(['approved', 'rejected'])), undefined),
  /** One-based. */
  page: positiveInt,
  pageSize: z.catch(z.optional(z.pipe(z.coerce.number(), z.literal([...submissionPageSizes]))), undefined),
});
