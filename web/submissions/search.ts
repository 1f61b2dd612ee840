import * as z from 'zod/mini';
import { submissionPageSizes } from '#shared/choices.ts';
import { fromOne } from '../lib/search-values.ts';

/** What the address of the submission form says: the page of the person's own submissions, from one. */
export const submitSearch = z.object({ page: fromOne });
export type SubmitSearch = z.infer<typeof submitSearch>;

/** What the address of the review says. An unknown value falls back to none. */
export const reviewSearch = z.object({
  /** Without one the pending submissions. */
  status: z.catch(z.optional(z.enum(['approved', 'rejected'])), undefined),
  /** From one. */
  page: fromOne,
  pageSize: z.catch(z.optional(z.pipe(z.coerce.number(), z.literal([...submissionPageSizes]))), undefined),
});
export type ReviewSearch = z.infer<typeof reviewSearch>;
