import type Stripe from 'stripe';
import type { ManualChange, Tier } from '#shared/accounts/subscriptions.ts';
import type { Context } from '../../context.ts';
import { unavailable } from '../../platform/http/errors.ts';
import { recordPaymentRequest, startCheckout } from './checkout.ts';
import { costsMore, createPortalUrl } from './portal.ts';
import { changeSimulated, describeChange, toManualChange, withElapsedPeriods } from './simulated.ts';
import { findSubscription } from './store.ts';
import { callStripe, getStripeId } from './stripe.ts';
import { listSubscriptions, requestSync, toStoredSubscription } from './sync.ts';

/**
 * Changes the user's plan; `free` cancels it. A Stripe subscription is changed on Stripe's customer portal. For a
 * simulated one, a higher plan leads to a checkout, and a lower plan starts with the next period. Choosing the current
 * plan undoes a scheduled change.
 * @param origin scheme, host and port of the requesting page, which Stripe redirects back to
 * @throws 429 after too many requests and 503 if Stripe is not available
 */
export async function changeSubscription(
  context: Context,
  userId: number,
  tier: Tier,
  origin: string,
): Promise<ManualChange> {
  const { db, now } = context;
  const current = withElapsedPeriods(await findSubscription(db, userId), now());
  if (current?.customerId)
    return await changeAtStripe(context, { userId, customerId: current.customerId, tier, origin });
  if (!current && tier === 'free') return toManualChange('ended', 'You have no paid subscription to cancel.');
  if (tier !== 'free' && (!current || costsMore(tier, current.tier))) {
    const { url } = await startCheckout(context, userId, tier, origin);
    return { cancelled: false, redirect: true, url };
  }
  return await changeSimulated(context, userId, tier);
}

/** Uses Stripe's current state, because the stored one may be outdated, and queues a sync. */
async function changeAtStripe(
  context: Context,
  { userId, customerId, tier, origin }: { userId: number; customerId: string; tier: Tier; origin: string },
): Promise<ManualChange> {
  const { jobs, stripe } = context;
  if (!stripe) throw unavailable('Payments are turned off on this server. Please contact us through the contact page.');
  await recordPaymentRequest(context, userId);
  const change = await callStripe(context, async (): Promise<ManualChange> => {
    const [subscription] = (await listSubscriptions(stripe, customerId)) ?? [];
    if (!subscription) return toManualChange('ended', 'Your subscription has ended. You keep Full Access.');
    const current = await toStoredSubscription(stripe, subscription);
    if (tier !== current.tier && tier !== current.nextTier) {
      const url = await createPortalUrl(context, stripe, { subscription, current: current.tier, tier, origin });
      return { cancelled: false, redirect: true, url };
    }
    if (tier === current.tier && current.nextTier) await undoScheduledChange(stripe, subscription);
    return describeChange(current, tier);
  });
  await requestSync(jobs, customerId);
  return change;
}

/** The portal cancels a subscription with `cancel_at`, and changes to a lower plan with a schedule. */
async function undoScheduledChange(
  stripe: Stripe,
  { id, schedule, cancel_at_period_end }: Stripe.Subscription,
): Promise<void> {
  if (schedule) await stripe.subscriptionSchedules.release(getStripeId(schedule));
  else
    await stripe.subscriptions.update(id, cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' });
}
