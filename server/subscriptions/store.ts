import type { PaidTier, Subscription, Tier } from '#shared/subscriptions.ts';
import type { Db } from '../db/database.ts';

/** What a person pays for, as it was written down last. */
export interface StoredSubscription {
  provider: 'simulated' | 'stripe';
  tier: PaidTier;
  status: Subscription['status'];
  /** Only where it is `ending`. */
  nextTier: Tier | null;
  periodEndsAt: Date;
  startedAt: Date;
  /** Both at Stripe, where that is the provider. */
  customerId: string | null;
  subscriptionId: string | null;
}

const columns = [
  'provider',
  'tier',
  'status',
  'next_tier as nextTier',
  'period_ends_at as periodEndsAt',
  'started_at as startedAt',
  'customer_id as customerId',
  'subscription_id as subscriptionId',
] as const;

export function findSubscription(db: Db, userId: number): Promise<StoredSubscription | undefined> {
  return db.selectFrom('subscriptions').select(columns).where('user_id', '=', userId).executeTakeFirst();
}

/** The same, and nobody else changes it until the transaction ends. */
export function lockSubscription(trx: Db, userId: number): Promise<StoredSubscription | undefined> {
  return trx.selectFrom('subscriptions').select(columns).where('user_id', '=', userId).forUpdate().executeTakeFirst();
}

/** In place of the one before. Throws where the user is gone. */
export async function saveSubscription(db: Db, userId: number, value: StoredSubscription): Promise<void> {
  const cells = {
    provider: value.provider,
    tier: value.tier,
    status: value.status,
    next_tier: value.nextTier,
    period_ends_at: value.periodEndsAt,
    started_at: value.startedAt,
    customer_id: value.customerId,
    subscription_id: value.subscriptionId,
  };
  await db
    .insertInto('subscriptions')
    .values({ user_id: userId, ...cells })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(cells))
    .execute();
}

export async function deleteSubscription(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('subscriptions').where('user_id', '=', userId).execute();
}

export async function deleteByStripesId(db: Db, subscriptionId: string): Promise<void> {
  await db.deleteFrom('subscriptions').where('subscription_id', '=', subscriptionId).execute();
}

/** The subscriptions at Stripe whose period ended before `moment`, as far as is known here. */
export async function listPast(db: Db, moment: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('subscription_id as id')
    .where('provider', '=', 'stripe')
    .where('period_ends_at', '<', moment)
    .execute();
  return rows.flatMap(({ id }) => id ?? []);
}
