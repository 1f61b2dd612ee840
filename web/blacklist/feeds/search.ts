import * as z from 'zod/mini';
import { freeText, positiveInt } from '../../platform/search-values.ts';

/** The search parameters of the screen of feeds. Unknown values are ignored. */
export const feedsSearch = z.object({
  dialog: z.catch(z.optional(z.enum(['catalogue', 'custom'])), undefined),
  /** The feed whose history is open. */
  feed: positiveInt,
  /** The page of its runs, one-based. */
  runs: positiveInt,
  /** The run whose names are open. */
  run: positiveInt,
  change: z.catch(z.optional(z.enum(['added', 'removed'])), undefined),
  search: freeText(253),
  /** The page of names, one-based. */
  page: positiveInt,
});
export type FeedsSearch = z.infer<typeof feedsSearch>;
