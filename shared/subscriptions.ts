import * as z from 'zod/mini';
import { User } from './accounts.ts';
import { apiKeyLimits } from './api-keys.ts';
import { endpoint } from './endpoint.ts';

/** Plans of former days. Everybody has Full Access; who pays for one supports the site and gets nothing more by it. */
export const tiers = ['free', 'standard', 'business'] as const;
export const Tier = z.enum(tiers, { error: `Please choose one of ${tiers.join(', ')}` });
export type Tier = z.infer<typeof Tier>;
export const PaidTier = z.enum(['standard', 'business']);
export type PaidTier = z.infer<typeof PaidTier>;

export interface Plan {
  name: string;
  /** US dollars a month. */
  pricePerMonth: number;
}

export const plans: Record<Tier, Plan> = {
  free: { name: 'Free', pricePerMonth: 0 },
  standard: { name: 'Standard', pricePerMonth: 19 },
  business: { name: 'Business', pricePerMonth: 49 },
};

/** In each plan and without one, beside the searches, which a server may limit. */
export const planFeatures = [
  'Unlimited website profiles',
  'Reports, CSV and disavow files',
  `${apiKeyLimits.requestsADay} API requests per day`,
];

/** Older clients name the user; another's id is refused. */
const userId = z.optional(z.nullable(z.union([z.string(), z.number()])));

export const TierChange = z.object({ tier: Tier, userId });

/** What the person pays for. */
export const Subscription = z.object({
  tier: PaidTier,
  /**
   * `ending`: paid until `periodEndsAt`, then it becomes `nextTier`, which is `free` where it was cancelled. `overdue`: the last
   * payment failed, and the payment provider tries again.
   */
  status: z.enum(['active', 'ending', 'overdue']),
  nextTier: z.nullable(Tier),
  periodEndsAt: z.nullable(z.string()),
  /** Whether it was tried out without a payment. */
  simulated: z.boolean(),
});
export type Subscription = z.infer<typeof Subscription>;

export const readSubscription = endpoint({
  method: 'GET',
  path: '/api/subscriptions/mine',
  access: 'user',
  summary: 'What I pay for; null for nearly everybody',
  responses: { 200: z.nullable(Subscription) },
});

export const Checkout = z.object({
  /** Where the browser goes next. */
  url: z.string(),
  /** Whether there is nothing to pay, and so no checkout. */
  direct: z.boolean(),
});
export type Checkout = z.infer<typeof Checkout>;

export const startCheckout = endpoint({
  method: 'POST',
  path: '/api/subscriptions/checkout',
  access: 'user',
  summary: 'Begin to pay for a plan',
  body: TierChange,
  responses: { 200: Checkout },
});

/**
 * `redirect`: to `url`, a checkout since the change costs something, or the payment provider's page where it is confirmed. Else `done`
 * and `message` say what was done.
 */
export const ManualChange = z.object({
  /** `kept`: what was scheduled is taken back. `ended`: there is no subscription any more that could be changed. */
  done: z.optional(z.enum(['scheduled', 'kept', 'cancelled', 'ended', 'nothing'])),
  cancelled: z.boolean(),
  redirect: z.boolean(),
  url: z.optional(z.string()),
  message: z.optional(z.string()),
});
export type ManualChange = z.infer<typeof ManualChange>;

export const changeManually = endpoint({
  method: 'POST',
  path: '/api/subscriptions/manual-change',
  access: 'user',
  summary: 'Change, downgrade or cancel what I pay for',
  body: TierChange,
  responses: { 200: ManualChange },
});

/** `redirect`: the payment is a real one, to be made at `url`. Else `user` is who it was done for. */
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
  summary: 'Settle a simulated checkout',
  changes: true,
  query: TierChange,
  responses: { 200: SimulatedSuccess },
});

/** Paths or addresses of this site; others are refused. */
const ownAddress = z.string().check(z.minLength(1), z.maxLength(2000));

export const TestCheckout = z.object({
  tier: Tier,
  email: z.pipe(z.string().check(z.trim()), z.email('Please enter a valid email address')),
  successUrl: ownAddress,
  cancelUrl: ownAddress,
});

export const TestCheckoutAnswer = z.object({
  success: z.boolean(),
  url: z.optional(z.string()),
  direct: z.optional(z.boolean()),
  message: z.optional(z.string()),
  sessionId: z.optional(z.string()),
});

/** Only where LINKSIEVE_DEBUG is set. Pays for nobody. */
export const testCheckout = endpoint({
  method: 'POST',
  path: '/api/test-stripe-checkout',
  access: 'public',
  summary: 'Try the checkout',
  body: TestCheckout,
  responses: { 200: TestCheckoutAnswer },
});

/** For Stripe alone, whose signature in the header it takes; without its settings there is none. */
export const stripeWebhook = endpoint({
  method: 'POST',
  path: '/api/stripe/webhook',
  access: 'public',
  summary: 'Told by Stripe what was paid',
  responses: { 200: z.object({ received: z.boolean() }) },
});

export const resetSearchLimit = endpoint({
  method: 'GET',
  path: '/api/reset-search-limit/:userId',
  access: 'user',
  summary: 'Count my searches from zero again',
  changes: true,
  params: z.object({ userId: z.string() }),
  responses: { 200: User },
});
