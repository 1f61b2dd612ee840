import * as z from 'zod/mini';
import { positiveInt } from '../../platform/search-values.ts';

/** The search parameters of the discoveries. Unknown values are ignored. */
export const discoveriesSearch = z.object({
  /** Undefined for proposals. */
  status: z.catch(z.optional(z.enum(['accepted', 'rejected', 'nothing'])), undefined),
  /** One-based. */
  page: positiveInt,
});
