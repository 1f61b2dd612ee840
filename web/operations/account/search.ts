import * as z from 'zod/mini';
import { PaidTier } from '#shared/accounts/subscriptions.ts';
import { positiveInt } from '../../platform/search-values.ts';

export const accountTabs = ['websites', 'api-keys', 'alerts', 'webhooks', 'profile', 'security', 'privacy'] as const;

/** The search parameters of the account page. Invalid values become undefined. */
export const accountSearch = z.object({
  tab: z.catch(z.optional(z.enum(accountTabs)), undefined),
  /** The page of the security activity. */
  activityPage: positiveInt,
  /**
   * What the user did at a checkout or on Stripe's customer portal: `success` paid, `canceled` left the checkout,
   * `ending` canceled the plan as of the end of the period, `scheduled` scheduled a downgrade.
   */
  subscription: z.catch(z.optional(z.enum(['success', 'canceled', 'ending', 'scheduled'])), undefined),
  /** The plan that was paid for, if it replaced another one. */
  tier: z.catch(z.optional(PaidTier), undefined),
  /** Set if the checkout was a test. */
  test: z.catch(z.optional(z.literal('true')), undefined),
});
