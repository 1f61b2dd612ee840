import { sql } from 'kysely';
import type { PaidTier, Subscription, Tier } from '#shared/accounts/subscriptions.ts';
import type { Db } from '../../platform/db/database.ts';
import { locks } from '../../platform/db/locks.ts';

/** A user's subscription, as last saved. */
export interface StoredSubscription {
  provider: 'simulated' | 'stripe';
  tier: PaidTier;
  status: Subscription['status'];
  /** Only set if the status is `ending`. */
  nextTier: Tier | null;
  periodEndsAt: Date;
  startedAt: Date;
  /** Stripe's ids; null for a simulated subscription. */
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

/** Locks the row until the transaction ends. */
export function lockSubscription(trx: Db, userId: number): Promise<StoredSubscription | undefined> {
  return trx.selectFrom('subscriptions').select(columns).where('user_id', '=', userId).forUpdate().executeTakeFirst();
}

/** Inserts or replaces the user's subscription. @throws if the user does not exist */
export async function upsertSubscription(db: Db, userId: number, value: StoredSubscription): Promise<void> {
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

export async function deleteSubscription(
  db: Db,
  userId: number,
  provider: StoredSubscription['provider'],
): Promise<void> {
  await db.deleteFrom('subscriptions').where('user_id', '=', userId).where('provider', '=', provider).execute();
}

/** A Stripe customer. Every user who has started a checkout has one. */
export interface StoredCustomer {
  customerId: string;
  /** Null if the account was deleted. */
  userId: number | null;
  /** The latest checkout session of the user. */
  sessionId: string | null;
}

const selectCustomers = (db: Db) =>
  db
    .selectFrom('stripe_customers')
    .select(['customer_id as customerId', 'user_id as userId', 'session_id as sessionId']);

export function findCustomer(db: Db, customerId: string): Promise<StoredCustomer | undefined> {
  return selectCustomers(db).where('customer_id', '=', customerId).executeTakeFirst();
}

export function findCustomerOfUser(db: Db, userId: number): Promise<StoredCustomer | undefined> {
  return selectCustomers(db).where('user_id', '=', userId).executeTakeFirst();
}

export async function listCustomerIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('stripe_customers').select('customer_id as id').execute();
  return rows.map(({ id }) => id);
}

/** Does nothing if the user already has a customer. */
export async function insertCustomer(db: Db, userId: number, customerId: string): Promise<void> {
  await db
    .insertInto('stripe_customers')
    .values({ user_id: userId, customer_id: customerId })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute();
}

/** @returns false, and changes nothing, if another request replaced the session first or the account was deleted */
export async function replaceSession(
  db: Db,
  { customerId, userId, sessionId }: StoredCustomer,
  newSessionId: string,
): Promise<boolean> {
  const row = await db
    .updateTable('stripe_customers')
    .set({ session_id: newSessionId })
    .where('customer_id', '=', customerId)
    .where('user_id', '=', userId)
    .where(sql<boolean>`(session_id is not distinct from ${sessionId} or session_id = ${newSessionId})`)
    .returning('customer_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteCustomer(db: Db, customerId: string): Promise<void> {
  await db.deleteFrom('stripe_customers').where('customer_id', '=', customerId).execute();
}

/** Allows one sync at a time, so that an older response from Stripe cannot overwrite a newer one. */
export async function lockSync(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${locks.syncPayments})`.execute(trx);
}
