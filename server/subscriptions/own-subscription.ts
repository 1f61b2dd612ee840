import type { Subscription } from '#shared/subscriptions.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { findSubscription, type StoredSubscription } from './store.ts';
import { listCheckouts } from './store-stripe.ts';

/** Of a subscription that nobody pays for. In milliseconds. */
export const simulatedPeriod = 30 * 86_400_000;

/** What the person pays for; null for nearly everybody. */
export async function readSubscription(
  { db, now }: Pick<Context, 'db' | 'now'>,
  userId: number,
): Promise<Subscription | null> {
  const found = asOf(await findSubscription(db, userId), now());
  return found
    ? {
        tier: found.tier,
        status: found.status,
        nextTier: found.nextTier,
        periodEndsAt: found.periodEndsAt.toISOString(),
        simulated: found.provider === 'simulated',
      }
    : null;
}

/** What is kept about what the person pays for, without the ids at the payment provider; null for nothing. */
export async function keptSubscription(db: Db, userId: number) {
  const found = await findSubscription(db, userId);
  if (!found) return null;
  const { customerId: _, subscriptionId: __, ...kept } = found;
  return kept;
}

/** What is kept of what the person began to pay for, without the ids at the payment provider. */
export const keptCheckouts = (db: Db, userId: number) => listCheckouts(db, userId);

/** A simulated one goes on by itself: no event tells of its periods. */
export function asOf(stored: StoredSubscription | undefined, now: Date): StoredSubscription | undefined {
  if (stored?.provider !== 'simulated' || stored.periodEndsAt > now) return stored;
  const periods = Math.floor((now.getTime() - stored.periodEndsAt.getTime()) / simulatedPeriod) + 1;
  const periodEndsAt = new Date(stored.periodEndsAt.getTime() + periods * simulatedPeriod);
  if (stored.nextTier === 'free') return undefined;
  return { ...stored, tier: stored.nextTier ?? stored.tier, status: 'active', nextTier: null, periodEndsAt };
}
