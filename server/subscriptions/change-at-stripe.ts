import Stripe from 'stripe';
import type { ManualChange, PaidTier, Tier } from '#shared/subscriptions.ts';
import type { Context } from '../context.ts';
import { unavailable } from '../http/errors.ts';
import { beginSession } from './begin-session.ts';
import { costsMore } from './costs-more.ts';
import { countAsking } from './count-asking.ts';
import { priceOf, productNameOf } from './prices.ts';
import { settleQueue } from './queues.ts';
import type { StoredSubscription } from './store.ts';
import { askStripe, findAtStripe } from './stripe.ts';
import { periodEndOf, stateOf } from './subscription-state.ts';
import { toldOf } from './told-of.ts';

/**
 * Has Stripe change what the next period costs, or end with this one. What is kept here follows when Stripe's event comes. By what
 * Stripe says, which may be more than is kept: a plan that costs more than the one there leads to a checkout. Throws 429 when the
 * person asks too often, 503 when Stripe is away, and then nothing has changed.
 * @param origin of the page that asks, for the way back from a checkout
 */
export async function changeAtStripe(
  context: Context,
  userId: number,
  subscriptionId: string,
  tier: Tier,
  origin: string,
): Promise<ManualChange> {
  const { jobs, stripe } = context;
  if (!stripe) throw unavailable('Payments are switched off on this server. Please write to us on the contact page.');
  await countAsking(context, userId);
  const before = await askStripe(context, change(stripe, subscriptionId, tier));
  const isRaised = before && tier !== 'free' && costsMore(tier, before.tier);
  // What is kept here is not what Stripe has, and the event that told may be lost.
  if (!before || isRaised) await jobs.send(settleQueue.name, { subscriptionId });
  if (!before) {
    return {
      cancelled: false,
      redirect: false,
      done: 'ended',
      message: 'Your subscription has ended. You keep Full Access.',
    };
  }
  if (isRaised) {
    return { cancelled: false, redirect: true, url: await beginSession(context, stripe, userId, tier, origin) };
  }
  return { cancelled: tier === 'free', redirect: false, ...toldOf(before, tier) };
}

/** Nothing where `tier` costs more. @returns what it was before, undefined where it has ended or Stripe does not know it */
async function change(stripe: Stripe, id: string, tier: Tier): Promise<StoredSubscription | undefined> {
  const subscription = await findAtStripe(stripe, id);
  const current = subscription && stateOf(subscription);
  if (!current) return undefined;
  if (tier === 'free') await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  else if (costsMore(tier, current.tier)) return current;
  else if (current.status === 'ending' || tier !== current.tier) {
    await stripe.subscriptions.update(id, await nextPeriod(stripe, subscription, current.tier, tier));
  }
  return current;
}

/** The price changes at once and nothing is charged or paid back for this period: `paidTier` tells what it was paid for. */
async function nextPeriod(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  paidTier: PaidTier,
  tier: PaidTier,
): Promise<Stripe.SubscriptionUpdateParams> {
  const metadata =
    tier === paidTier ? { paidTier: '', paidUntil: '' } : { paidTier, paidUntil: periodEndOf(subscription) };
  const item = subscription.items.data[0]?.id;
  const product = await productOf(stripe, tier);
  return {
    cancel_at_period_end: false,
    items: [{ ...(item && { id: item }), price_data: { ...priceOf(tier), product } }],
    proration_behavior: 'none',
    metadata: { tier, ...metadata },
  };
}

/** One for each plan, under an id of ours. */
async function productOf(stripe: Stripe, tier: PaidTier): Promise<string> {
  const id = `linksieve_${tier}`;
  try {
    await stripe.products.create({ id, name: productNameOf(tier) });
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError && error.code === 'resource_already_exists')) throw error;
  }
  return id;
}
