import type Stripe from 'stripe';
import type { ManualChange, Tier } from '#shared/subscriptions.ts';
import type { Context } from '../context.ts';
import { unavailable } from '../http/errors.ts';
import { countRequest, startCheckout } from './checkout.ts';
import { costsMore, openPortal } from './portal.ts';
import { changeSimulated, describeChange, done, withElapsedPeriods } from './simulated.ts';
import { findSubscription } from './store.ts';
import { callStripe, idOf } from './stripe.ts';
import { listSubscriptions, requestSync, toStoredSubscription } from './sync.ts';

/**
 * Changes what the person pays for; `free` cancels it. A subscription at Stripe is changed on its customer portal. Of a simulated
 * one, a higher plan leads to a checkout, and a lower one counts from the next period on. The plan that they have undoes what was
 * planned. Throws 429 when the person asks too often, 503 when Stripe is away.
 * @param origin of the page that asks, for the way back
 */
export async function changeSubscription(
  context: Context,
  userId: number,
  tier: Tier,
  origin: string,
): Promise<ManualChange> {
  const { db, now } = context;
  const current = withElapsedPeriods(await findSubscription(db, userId), now());
  if (current?.customerId) return await changeAtStripe(context, userId, current.customerId, tier, origin);
  if (!current && tier === 'free') return done('ended', 'There is nothing to cancel: you pay for nothing.');
  if (tier !== 'free' && (!current || costsMore(tier, current.tier))) {
    const { url } = await startCheckout(context, userId, tier, origin);
    return { cancelled: false, redirect: true, url };
  }
  return await changeSimulated(context, userId, tier);
}

/** What Stripe has counts, which may be more than is saved here: what is saved is compared with it afterwards. */
async function changeAtStripe(
  context: Context,
  userId: number,
  customerId: string,
  tier: Tier,
  origin: string,
): Promise<ManualChange> {
  const { jobs, stripe } = context;
  if (!stripe) throw unavailable('Payments are switched off on this server. Please write to us on the contact page.');
  await countRequest(context, userId);
  const change = await callStripe(context, async (): Promise<ManualChange> => {
    const [subscription] = (await listSubscriptions(stripe, customerId)) ?? [];
    if (!subscription) return done('ended', 'Your subscription has ended. You keep Full Access.');
    const current = await toStoredSubscription(stripe, subscription);
    if (tier !== current.tier && tier !== current.nextTier) {
      const url = await openPortal(context, stripe, subscription, current.tier, tier, origin);
      return { cancelled: false, redirect: true, url };
    }
    if (tier === current.tier && current.nextTier) await undoPlanned(stripe, subscription);
    return describeChange(current, tier);
  });
  await requestSync(jobs, customerId);
  return change;
}

/** The portal ends a subscription with `cancel_at`, and schedules a lower plan. */
async function undoPlanned(stripe: Stripe, { id, schedule, cancel_at_period_end }: Stripe.Subscription): Promise<void> {
  if (schedule) await stripe.subscriptionSchedules.release(idOf(schedule));
  else
    await stripe.subscriptions.update(id, cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' });
}
