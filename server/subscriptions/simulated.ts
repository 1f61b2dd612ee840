import { type ManualChange, plans, type SimulatedSuccess, type Tier } from '#shared/subscriptions.ts';
import { readUser } from '../accounts/accounts.ts';
import type { Context } from '../context.ts';
import { unavailable } from '../http/errors.ts';
import { startCheckout } from './checkout.ts';
import { costsMore } from './portal.ts';
import { deleteSubscription, lockSubscription, type StoredSubscription, saveSubscription } from './store.ts';

/** In milliseconds. */
export const simulatedPeriod = 30 * 86_400_000;

/** What a stored subscription is now: a simulated one renews by itself, as no event tells of its periods. */
export function withElapsedPeriods(stored: StoredSubscription | undefined, now: Date): StoredSubscription | undefined {
  if (stored?.provider !== 'simulated' || stored.periodEndsAt > now) return stored;
  const periods = Math.floor((now.getTime() - stored.periodEndsAt.getTime()) / simulatedPeriod) + 1;
  const periodEndsAt = new Date(stored.periodEndsAt.getTime() + periods * simulatedPeriod);
  if (stored.nextTier === 'free') return undefined;
  return { ...stored, tier: stored.nextTier ?? stored.tier, status: 'active', nextTier: null, periodEndsAt };
}

/**
 * Settles a simulated checkout. Where payments are real it settles nothing, and leads to a checkout. Throws 503 where they were real
 * before, and the person paid for a plan.
 * @param origin of the page that asks, for the way back
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
    // From a time when payments were real: it ends at Stripe alone.
    if ((await lockSubscription(trx, userId))?.provider === 'stripe') {
      throw unavailable('Payments are switched off on this server. Please write to us on the contact page.');
    }
    if (tier === 'free') return await deleteSubscription(trx, userId, 'simulated');
    await saveSubscription(trx, userId, {
      provider: 'simulated',
      tier,
      status: 'active',
      nextTier: null,
      periodEndsAt: new Date(now.getTime() + simulatedPeriod),
      startedAt: now,
      customerId: null,
      subscriptionId: null,
    });
  });
  return { redirect: false, user: await readUser(context, userId) };
}

/** Changes a simulated subscription to a plan that costs no more; `free` ends it at once. */
export async function changeSimulated(
  { db, now }: Pick<Context, 'db' | 'now'>,
  userId: number,
  tier: Tier,
): Promise<ManualChange> {
  return await db.transaction().execute(async (trx) => {
    const current = withElapsedPeriods(await lockSubscription(trx, userId), now());
    if (!current || costsMore(tier, current.tier)) {
      // It was changed in another window meanwhile.
      return done('nothing', 'Your subscription is another one by now. Please look again.');
    }
    if (tier === 'free') {
      await deleteSubscription(trx, userId, 'simulated');
      return done('cancelled', `Your ${plans[current.tier].name} subscription has ended. You keep Full Access.`);
    }
    const nextTier = tier === current.tier ? null : tier;
    await saveSubscription(trx, userId, { ...current, status: nextTier ? 'ending' : 'active', nextTier });
    return describeChange(current, tier);
  });
}

/** What a change without a redirect did: the next period becomes one of `tier`. The screens show its date. */
export function describeChange(current: StoredSubscription, tier: Tier): ManualChange {
  const { name } = plans[current.tier];
  if (tier === 'free') {
    return done('cancelled', `Your ${name} subscription ends with the current period. You keep Full Access.`);
  }
  if (tier !== current.tier) {
    return done('scheduled', `Your ${name} subscription becomes ${plans[tier].name} with the next period.`);
  }
  if (current.nextTier) return done('kept', `Your ${name} subscription goes on.`);
  return done('nothing', `You have the ${name} plan already.`);
}

/** The answer to a change without a redirect. */
export function done(what: NonNullable<ManualChange['done']>, message: string): ManualChange {
  return { cancelled: what === 'cancelled', redirect: false, done: what, message };
}
