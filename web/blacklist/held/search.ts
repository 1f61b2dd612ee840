import * as z from 'zod/mini';
import { freeText, positiveInt } from '../../platform/search-values.ts';

/** The search parameters of the review queue. Unknown values are ignored. */
export const heldSearch = z.object({
  /** Undefined for the queue. */
  tab: z.catch(z.optional(z.literal(['rules', 'hosts'])), undefined),
  search: freeText(253),
  /** One-based. */
  page: positiveInt,
});
