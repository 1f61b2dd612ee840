import * as z from 'zod/mini';
import { jobKinds, userFilters } from '#shared/choices.ts';
import { freeText, positiveInt } from '../lib/search-values.ts';

export const adminPanelTabs = ['import', 'database', 'users', 'system'] as const;

const text = freeText(254);

/** What the address of the admin panel says. An unknown value falls back to none. */
export const adminPanelSearch = z.object({
  tab: z.catch(z.optional(z.enum(adminPanelTabs)), undefined),
  /** The import that is being watched. */
  job: z.catch(z.optional(z.uuid()), undefined),
  /** Accounts: part of a name, which of them, and the page of the list. */
  search: text,
  show: z.catch(z.optional(z.enum(userFilters)), undefined),
  page: positiveInt,
  /** Background work. */
  kind: z.catch(z.optional(z.enum(jobKinds)), undefined),
  jobsPage: positiveInt,
  /** The audit log. */
  act: text,
  person: text,
  actsPage: positiveInt,
});
export type AdminPanelSearch = z.infer<typeof adminPanelSearch>;
