import { type ManualChange, plans, type SimulatedSuccess, type Tier } from '#shared/accounts/subscriptions.ts';
import type { Context } from '../../context.ts';
import { unavailable } from '../../platform/http/errors.ts';
import { getUser } from '../accounts/accounts.ts';
import { startCheckout } from './checkout.ts';
import { costsMore } from './portal.ts';
import { deleteSubscription, lockSubscription, type StoredSubscription, upsertSubscription } from './store.ts';

export const simulatedPeriodMs = 30 * 86_400_000;

/**
 * Returns the current state of a stored subscription. A simulated one is renewed here, because no event reports its
 * renewals.
 */
export function withElapsedPeriods(stored: StoredSubscription | undefined, now: Date): StoredSubscription | undefined {
  if (stored?.provider !== 'simulated' || stored.periodEndsAt > now) return stored;
  const periods = Math.floor((now.getTime() - stored.periodEndsAt.getTime()) / simulatedPeriodMs) + 1;
  const periodEndsAt = new Date(stored.periodEndsAt.getTime() + periods * simulatedPeriodMs);
  if (stored.nextTier === 'free') return undefined;
  return { ...stored, tier: stored.nextTier ?? stored.tier, status: 'active', nextTier: null, periodEndsAt };
}

/**
 * Activates a plan after a simulated checkout. If payments are real, it returns the URL of a real checkout instead.
 * @param origin scheme, host and port of the requesting page, which Stripe redirects back to
 * @throws 503 if the user has a Stripe subscription from before payments were turned off
 */
export async function simulateSuccess(
  context: Context,
  userId: number,
  tier: Tier,
  origin: string,
): Promise<SimulatedSuccess> {
  if (context.stripe) return { redirect: true, url: (await startCheckout(context, userId, tier, origin)).url };
  const now = context.now();
  await context.db.transaction().execute(async (trx) => {
    // A subscription from when payments were real can only be changed at Stripe.
    if ((await lockSubscription(trx, userId))?.provider === 'stripe') {
      throw unavailable('Payments are turned off on this server. Please contact us through the contact page.');
    }
    if (tier === 'free') return await deleteSubscription(trx, userId, 'simulated');
    await upsertSubscription(trx, userId, {
      provider: 'simulated',
      tier,
      status: 'active',
      nextTier: null,
      periodEndsAt: new Date(now.getTime() + simulatedPeriodMs),
      startedAt: now,
      customerId: null,
      subscriptionId: null,
    });
  });
  return { redirect: false, user: await getUser(context, userId) };
}

/** Changes a simulated subscription to the same or a lower plan; `free` ends it at once. */
export async function changeSimulated(
  { db, now }: Pick<Context, 'db' | 'now'>,
  userId: number,
  tier: Tier,
): Promise<ManualChange> {
  return await db.transaction().execute(async (trx) => {
    const current = withElapsedPeriods(await lockSubscription(trx, userId), now());
    if (!current || costsMore(tier, current.tier)) {
      // It was changed in another window in the meantime.
      return toManualChange('nothing', 'Your subscription changed. Refresh the page.');
    }
    if (tier === 'free') {
      await deleteSubscription(trx, userId, 'simulated');
      return toManualChange(
        'cancelled',
        `Your ${plans[current.tier].name} subscription has ended. You keep Full Access.`,
      );
    }
    const nextTier = tier === current.tier ? null : tier;
    await upsertSubscription(trx, userId, { ...current, status: nextTier ? 'ending' : 'active', nextTier });
    return describeChange(current, tier);
  });
}

/**
 * Returns the result of a change without a redirect, after which the next period is for `tier`. The screens add the
 * date.
 */
export function describeChange(current: StoredSubscription, tier: Tier): ManualChange {
  const { name } = plans[current.tier];
  if (tier === 'free') {
    return toManualChange(
      'cancelled',
      `Your ${name} subscription ends after the current period. You keep Full Access.`,
    );
  }
  if (tier !== current.tier) {
    return toManualChange(
      'scheduled',
      `Your ${name} subscription changes to ${plans[tier].name} after the current period.`,
    );
  }
  if (current.nextTier) return toManualChange('kept', `Your ${name} subscription continues.`);
  return toManualChange('nothing', `You already have the ${name} plan.`);
}

/** Builds the response to a change without a redirect. */
export function toManualChange(outcome: NonNullable<ManualChange['done']>, message: string): ManualChange {
  return { cancelled: outcome === 'cancelled', redirect: false, done: outcome, message };
}
