import * as z from 'zod/mini';
import { freeText, positiveInt } from '../../platform/search-values.ts';

/** The search parameters of the admin screen of websites. Unknown values are ignored. */
export const manageWebsitesSearch = z.object({
  search: freeText(254),
  /** One-based. */
  page: positiveInt,
  dialog: z.catch(z.optional(z.enum(['orphaned'])), undefined),
});
