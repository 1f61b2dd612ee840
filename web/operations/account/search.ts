import * as z from 'zod/mini';
import { signInProblemNames } from '#shared/accounts/oidc.ts';
import { PaidTier } from '#shared/accounts/subscriptions.ts';
import { freeText, positiveInt } from '../../platform/search-values.ts';

export const accountTabs = ['websites', 'api-keys', 'notifications', 'profile', 'privacy'] as const;

/** Tabs of earlier versions, which emails and bookmarks name, with the tabs that contain them now. */
const earlierTabs = { alerts: 'notifications', webhooks: 'notifications', security: 'profile' } as const;
const isEarlier = (tab: unknown): tab is keyof typeof earlierTabs => typeof tab === 'string' && tab in earlierTabs;

/** The search parameters of the page that connects an assistant. */
export const connectSearch = z.object({ request: freeText(64) });

/** The search parameters of the account page. Invalid values become undefined. */
export const accountSearch = z.object({
  tab: z.catch(
    z.pipe(
      z.transform((tab) => (isEarlier(tab) ? earlierTabs[tab] : tab)),
      z.optional(z.enum(accountTabs)),
    ),
    undefined,
  ),
  /** The page of the security activity. */
  activityPage: positiveInt,
  /** Why a sign-in provider was not linked. */
  problem: z.catch(z.optional(z.enum(signInProblemNames)), undefined),
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
