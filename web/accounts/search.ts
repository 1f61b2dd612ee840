import * as z from 'zod/mini';
import type { PaidTier } from '#shared/subscriptions.ts';

/** The search parameters of the sign-in page. Without a tab it is the login. */
export const authSearch = z.object({
  tab: z.catch(z.optional(z.enum(['login', 'register', 'forgot', 'reset'])), undefined),
});

// Written out, as in subscriptions/search.ts: the routes are part of the first load.
const paidTiers = ['standard', 'business'] as const satisfies readonly PaidTier[];

export const accountTabs = ['websites', 'api-keys', 'security'] as const;

/** The search parameters of the account page. Unknown values count as missing. */
export const accountSearch = z.object({
  tab: z.catch(z.optional(z.enum(accountTabs)), undefined),
  /**
   * What a person did on the page that leads here: paid a checkout, or left it; or had their plan end, or become a lower one, with
   * the period.
   */
  subscription: z.catch(z.optional(z.enum(['success', 'canceled', 'ending', 'scheduled'])), undefined),
  /** The plan that was paid for, where there was another one before. */
  tier: z.catch(z.optional(z.enum(paidTiers)), undefined),
  /** Whether that checkout was only tried out. */
  test: z.catch(z.optional(z.literal('true')), undefined),
});
