import { sql } from 'kysely';
import type { PaidTier } from '#shared/subscriptions.ts';
import type { Db } from '../db/database.ts';
import { locks } from '../db/locks.ts';

/** The open checkout of a person for a plan, begun after a moment, or a new one in its place. Asked for twice at once it is one. */
export async function openCheckout(trx: Db, userId: number, tier: PaidTier, since: Date, now: Date): Promise<string> {
  await closeOlder(trx, userId, tier, since, now);
  await trx
    .insertInto('stripe_checkouts')
    .values({ user_id: userId, tier, begun_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'tier']).where('closed_at', 'is', null).doNothing())
    .execute();
  const { id } = await trx
    .selectFrom('stripe_checkouts')
    .select('id')
    .where('user_id', '=', userId)
    .where('tier', '=', tier)
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return id;
}

async function closeOlder(trx: Db, userId: number, tier: PaidTier, before: Date, now: Date): Promise<void> {
  await trx
    .updateTable('stripe_checkouts')
    .set({ closed_at: now })
    .where('user_id', '=', userId)
    .where('tier', '=', tier)
    .where('closed_at', 'is', null)
    .where('begun_at', '<=', before)
    .execute();
}

/** @returns what it was before: the session in whose place this one comes, and whose it is; undefined for no such checkout */
export async function saveSession(
  trx: Db,
  id: string,
  sessionId: string,
): Promise<{ sessionId: string | null; userId: number | null } | undefined> {
  const before = await trx
    .selectFrom('stripe_checkouts')
    .select(['session_id as sessionId', 'user_id as userId'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  await trx.updateTable('stripe_checkouts').set({ session_id: sessionId }).where('id', '=', id).execute();
  return before;
}

/** The next checkout is another one. @returns whether it was open */
export async function closeCheckout(db: Db, id: string, now: Date): Promise<boolean> {
  const row = await db
    .updateTable('stripe_checkouts')
    .set({ closed_at: now })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The next ones of the person are others. */
export async function closeCheckouts(db: Db, userId: number, now: Date): Promise<void> {
  await db
    .updateTable('stripe_checkouts')
    .set({ closed_at: now })
    .where('user_id', '=', userId)
    .where('closed_at', 'is', null)
    .execute();
}

/** Whose it is, null where that account is gone; undefined for one that was not begun here. */
export function findCheckout(db: Db, id: string) {
  return db
    .selectFrom('stripe_checkouts')
    .select(['id', 'user_id as userId', 'session_id as sessionId'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** What the person began to pay for, the oldest first. */
export function listCheckouts(db: Db, userId: number) {
  return db
    .selectFrom('stripe_checkouts')
    .select(['tier', 'begun_at as begunAt', 'closed_at as closedAt'])
    .where('user_id', '=', userId)
    .orderBy('begun_at')
    .execute();
}

/** Sessions of the person that may still be paid. */
export async function listSessions(db: Db, userId: number, since: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('stripe_checkouts')
    .select('session_id as sessionId')
    .where('user_id', '=', userId)
    .where('begun_at', '>', since)
    .where('session_id', 'is not', null)
    .execute();
  return rows.flatMap(({ sessionId }) => sessionId ?? []);
}

/** Nobody else settles a payment until the transaction ends: there are few, and each has to see the one before. */
export async function lockSettling(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${locks.settle})`.execute(trx);
}

export interface EventRow {
  id: string;
  type: string;
  createdAt: Date;
}

/** @returns whether it was new; asked twice at once, it is new to one */
export async function insertEvent(trx: Db, { id, type, createdAt }: EventRow, now: Date): Promise<boolean> {
  const row = await trx
    .insertInto('stripe_events')
    .values({ id, type, created_at: createdAt, received_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteOldEvents(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('stripe_events').where('received_at', '<', before).execute();
}

/** Of those that nobody pays by. One that was paid for an account which is gone is needed until that payment has been ended. */
export async function deleteOldCheckouts(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('stripe_checkouts')
    .where('begun_at', '<', before)
    .where(({ or, eb }) => or([eb('user_id', 'is not', null), eb('closed_at', 'is', null)]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('subscriptions')
            .select('subscriptions.user_id')
            .whereRef('subscriptions.user_id', '=', 'stripe_checkouts.user_id')
            .where('provider', '=', 'stripe'),
        ),
      ),
    )
    .execute();
}
