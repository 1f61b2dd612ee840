import * as z from 'zod/mini';

export const adminPanelTabs = ['import', 'database', 'users', 'system'] as const;

/** What the address of the admin panel says. An unknown value falls back to none. */
export const adminPanelSearch = z.object({
  tab: z.catch(z.optional(z.enum(adminPanelTabs)), undefined),
  /** The import that is being watched. */
  job: z.catch(z.optional(z.uuid()), undefined),
});
export type AdminPanelSearch = z.infer<typeof adminPanelSearch>;
