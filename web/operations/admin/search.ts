import * as z from 'zod/mini';
import { userFilters } from '#shared/accounts/choices.ts';
import { jobKinds } from '#shared/operations/choices.ts';
import { freeText, positiveInt } from '../../platform/search-values.ts';

const adminPanelTabs = ['import', 'database', 'users', 'audit', 'jobs', 'system'] as const;
export type AdminPanelTab = (typeof adminPanelTabs)[number];

const text = freeText(254);

/** The search parameters of the admin panel's URL. Unknown values are ignored. */
export const adminPanelSearch = z.object({
  tab: z.catch(z.optional(z.enum(adminPanelTabs)), undefined),
  /** The id of the watched import. */
  job: z.catch(z.optional(z.uuid()), undefined),
  /** The list of accounts: search text, filter and page. */
  search: text,
  show: z.catch(z.optional(z.enum(userFilters)), undefined),
  page: positiveInt,
  /** The list of jobs. */
  kind: z.catch(z.optional(z.enum(jobKinds)), undefined),
  jobsPage: positiveInt,
  /**
   * The audit log, or the security activity of all accounts, whose kinds of events would be large in the first load.
   */
  log: z.catch(z.optional(z.literal('security')), undefined),
  event: text,
  user: text,
  eventsPage: positiveInt,
});
export type AdminPanelSearch = z.infer<typeof adminPanelSearch>;

/** The screen of the admin panel that the search parameters of a URL name. */
export const toPanelTab = (search: object): AdminPanelTab => adminPanelSearch.parse(search).tab ?? 'import';
