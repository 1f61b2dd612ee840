import * as z from 'zod/mini';
import { EmailAddress } from '../platform/email-address.ts';
import { endpoint } from '../platform/endpoint.ts';
import { User } from './accounts.ts';
import { apiKeyLimits } from './api-keys.ts';

/** Legacy plans. Every user has Full Access; paying for a plan supports the site and adds no features. */
export const tiers = ['free', 'standard', 'business'] as const;
export const Tier = z.enum(tiers, { error: `Please choose one of ${tiers.join(', ')}` });
export type Tier = z.infer<typeof Tier>;
export const PaidTier = z.enum(['standard', 'business']);
export type PaidTier = z.infer<typeof PaidTier>;

export interface Plan {
  name: string;
  /** US dollars per month. */
  pricePerMonth: number;
}

export const plans: Record<Tier, Plan> = {
  free: { name: 'Free', pricePerMonth: 0 },
  standard: { name: 'Standard', pricePerMonth: 19 },
  business: { name: 'Business', pricePerMonth: 49 },
};

/** Features that everyone has, with or without a plan. Searches are not listed because a server can limit them. */
export const planFeatures = [
  'Unlimited website profiles',
  'Reports, CSV and disavow files',
  `${apiKeyLimits.requestsPerDay} API requests per day`,
];

/** Sent by older clients. The id of another user is refused. */
const userId = z.optional(z.nullable(z.union([z.string(), z.number()])));

const TierChange = z.object({ tier: Tier, userId });

/** The plan that a user pays for. Dates are ISO 8601. */
export const Subscription = z.object({
  tier: PaidTier,
  /**
   * `ending`: paid until `periodEndsAt`, then it changes to `nextTier`, which is `free` if the subscription was
   * canceled. `overdue`: the last payment failed, and the payment provider retries it.
   */
  status: z.enum(['active', 'ending', 'overdue']),
  nextTier: z.nullable(Tier),
  periodEndsAt: z.nullable(z.string()),
  /** Whether it comes from a simulated checkout, without a payment. */
  simulated: z.boolean(),
});
export type Subscription = z.infer<typeof Subscription>;

export const readSubscription = endpoint({
  method: 'GET',
  path: '/api/subscriptions/mine',
  access: 'user',
  summary: 'Get my subscription, or null if I have none',
  responses: { 200: z.nullable(Subscription) },
});

export const Checkout = z.object({
  /** The URL that the browser opens next. */
  url: z.string(),
  /** Whether there is nothing to pay, so that no checkout is needed. */
  direct: z.boolean(),
});
export type Checkout = z.infer<typeof Checkout>;

export const startCheckout = endpoint({
  method: 'POST',
  path: '/api/subscriptions/checkout',
  access: 'user',
  summary: 'Start the checkout of a plan',
  body: TierChange,
  responses: { 200: Checkout },
});

/**
 * The result of a plan change. If `redirect` is true, the browser continues at `url`: a checkout, or the payment
 * provider's page to confirm the change. Otherwise `done` and `message` say what was changed.
 */
export const ManualChange = z.object({
  /** `kept`: a scheduled change was undone. `ended`: the subscription has already ended, so nothing was changed. */
  done: z.optional(z.enum(['scheduled', 'kept', 'cancelled', 'ended', 'nothing'])),
  cancelled: z.boolean(),
  redirect: z.boolean(),
  url: z.optional(z.string()),
  message: z.optional(z.string()),
});
export type ManualChange = z.infer<typeof ManualChange>;

export const changeSubscription = endpoint({
  method: 'POST',
  path: '/api/subscriptions/manual-change',
  access: 'user',
  summary: 'Change, downgrade or cancel my subscription',
  body: TierChange,
  responses: { 200: ManualChange },
});

/** If `redirect` is true, the payment is real and continues at `url`. Otherwise `user` now has the plan. */
export const SimulatedSuccess = z.object({
  redirect: z.boolean(),
  url: z.optional(z.string()),
  user: z.optional(User),
});
export type SimulatedSuccess = z.infer<typeof SimulatedSuccess>;

export const simulateSuccess = endpoint({
  method: 'GET',
  path: '/api/subscriptions/simulate-success',
  access: 'user',
  summary: 'Complete a simulated checkout',
  changes: true,
  query: TierChange,
  responses: { 200: SimulatedSuccess },
});

/** A path or URL of this site. The server refuses other sites. */
const ownUrl = z.string().check(z.minLength(1), z.maxLength(2000));

export const TestCheckout = z.object({
  tier: Tier,
  email: EmailAddress,
  successUrl: ownUrl,
  cancelUrl: ownUrl,
});

export const TestCheckoutResult = z.object({
  success: z.boolean(),
  url: z.optional(z.string()),
  direct: z.optional(z.boolean()),
  message: z.optional(z.string()),
  sessionId: z.optional(z.string()),
});

/** Available only if LINKSIEVE_DEBUG is set. Changes no account's plan. */
export const testCheckout = endpoint({
  method: 'POST',
  path: '/api/test-stripe-checkout',
  access: 'public',
  summary: 'Start a test checkout',
  body: TestCheckout,
  responses: { 200: TestCheckoutResult },
});

/** Called by Stripe only, with its signature in a header. Available only if the Stripe settings are set. */
export const stripeWebhook = endpoint({
  method: 'POST',
  path: '/api/stripe/webhook',
  access: 'public',
  summary: 'Receive payment events from Stripe',
  worksOnFullDisk: true,
  responses: { 200: z.object({ received: z.boolean() }) },
});

export const resetSearchLimit = endpoint({
  method: 'GET',
  path: '/api/reset-search-limit/:userId',
  access: 'user',
  summary: 'Reset my search count',
  changes: true,
  params: z.object({ userId: z.string() }),
  responses: { 200: User },
});
