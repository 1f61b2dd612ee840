import * as z from 'zod/mini';
import { freeText, positiveInt } from '../lib/search-values.ts';

/** What the address of the admins' list of websites says. An unknown value falls back to none. */
export const manageProfilesSearch = z.object({
  search: freeText(254),
  /** From one. */
  page: positiveInt,
  dialog: z.catch(z.optional(z.enum(['orphaned'])), undefined),
});
export type ManageProfilesSearch = z.infer<typeof manageProfilesSearch>;
