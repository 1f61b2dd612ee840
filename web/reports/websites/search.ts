import * as z from 'zod/mini';
import { freeText, positiveInt } from '../../platform/search-values.ts';

/** The URL parameters of the admin screen of websites. Invalid values become undefined. */
export const manageWebsitesSearch = z.object({
  search: freeText(254),
  /** One-based. */
  page: positiveInt,
  dialog: z.catch(z.optional(z.enum(['orphaned'])), undefined),
});
export type ManageWebsitesSearch = z.infer<typeof manageWebsitesSearch>;
