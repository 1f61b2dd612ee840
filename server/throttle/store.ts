import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { locks } from '../db/locks.ts';

/** Locks the keys until the transaction ends, always in the same order to avoid deadlocks. */
export async function lockUses(trx: Db, keys: string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(${locks.throttle}, hash)
    from (select distinct hashtext(key) as hash from unnest(${keys}::text[]) as key order by 1) as hashes
  `.execute(trx);
}

/** The number of uses of each key after `since`, and the time of the oldest. Keys without uses are missing. */
export function listUses(db: Db, keys: string[], since: Date) {
  return db
    .selectFrom('login_failures')
    .select(['key', sql<number>`count(*)`.as('count'), sql<Date>`min(failed_at)`.as('oldest')])
    .where('key', 'in', keys)
    .where('failed_at', '>', since)
    .groupBy('key')
    .execute();
}

export async function insertUses(db: Db, keys: string[], usedAt: Date): Promise<void> {
  await db
    .insertInto('login_failures')
    .values(keys.map((key) => ({ key, failed_at: usedAt })))
    .execute();
}

/** Deletes one use with exactly this time. */
export async function deleteUse(db: Db, key: string, usedAt: Date): Promise<void> {
  await sql`
    delete from login_failures
    where ctid = (select ctid from login_failures where key = ${key} and failed_at = ${usedAt} limit 1)
  `.execute(db);
}

export async function deleteUses(db: Db, keys: string[]): Promise<void> {
  await db.deleteFrom('login_failures').where('key', 'in', keys).execute();
}

export async function deleteOldUses(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('login_failures').where('failed_at', '<', before).execute();
}
