import type Stripe from 'stripe';
import { PaidTier } from '#shared/subscriptions.ts';
import type { StoredSubscription } from './store.ts';

/** https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses: the others are not paid yet, or have ended. */
const running = new Map<string, 'active' | 'overdue'>([
  ['active', 'active'],
  ['trialing', 'active'],
  ['past_due', 'overdue'],
  ['unpaid', 'overdue'],
  ['paused', 'overdue'],
]);

/** What a subscription of Stripe's is here; undefined for one that nobody pays for. */
export function stateOf(subscription: Stripe.Subscription): StoredSubscription | undefined {
  const status = running.get(subscription.status);
  if (!status) return undefined;
  const { tier, paidTier, paidUntil } = subscription.metadata;
  const periodEnd = periodEndOf(subscription);
  const nextTier = tierOf(tier);
  const paid = paidTier && periodEnd <= Number(paidUntil) ? tierOf(paidTier) : nextTier;
  const { customer } = subscription;
  const state = {
    provider: 'stripe' as const,
    tier: paid,
    periodEndsAt: new Date(periodEnd * 1000),
    startedAt: new Date(subscription.created * 1000),
    customerId: typeof customer === 'string' ? customer : customer.id,
    subscriptionId: subscription.id,
  };
  // Overdue or not: the payment failed before the change, so the person was told, and `ending` is what can be taken back.
  if (subscription.cancel_at_period_end || subscription.cancel_at)
    return { ...state, status: 'ending', nextTier: 'free' };
  if (paid !== nextTier) return { ...state, status: 'ending', nextTier };
  return { ...state, status, nextTier: null };
}

/** In seconds. A subscription of ours has one item. */
export const periodEndOf = ({ items, cancel_at, created }: Stripe.Subscription): number =>
  items.data[0]?.current_period_end ?? cancel_at ?? created;

/** Written there by us, and by whoever works in Stripe's dashboard. */
const tierOf = (text: string | undefined): PaidTier => PaidTier.safeParse(text).data ?? 'standard';
