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

/**
 * For each key, the number of uses after `since` and up to `until`, and the times of the oldest and the newest. Keys
 * without uses are missing.
 */
export async function listUses(db: Db, spans: { key: string; since: Date }[], until: Date) {
  const { rows } = await sql<{ key: string; count: number; oldest: Date; newest: Date }>`
    select key, count(*) as count, min(failed_at) as oldest, max(failed_at) as newest
    from login_failures
    join unnest(${spans.map(({ key }) => key)}::text[], ${spans.map(({ since }) => since)}::timestamptz[])
      as spans (key, since) using (key)
    where failed_at > since and failed_at <= ${until}
    group by key
  `.execute(db);
  return rows;
}

export async function insertUses(db: Db, uses: { key: string; userId?: number }[], usedAt: Date): Promise<void> {
  await db
    .insertInto('login_failures')
    .values(uses.map(({ key, userId }) => ({ key, failed_at: usedAt, user_id: userId ?? null })))
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
  if (keys.length > 0) await db.deleteFrom('login_failures').where('key', 'in', keys).execute();
}

interface LockedFilter {
  since: { hard: Date; delays: Date };
  max: { hard: number; delays: number };
  until: Date;
  /** Only these accounts. */
  userIds?: number[] | undefined;
}

/**
 * The accounts that have at least `max` failures since `since`: with one key, or with the key of all their networks.
 */
export async function listLockedAccounts(db: Db, { since, max, until, userIds }: LockedFilter): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct user_id as id
    from (
      select user_id from login_failures
      where user_id is not null and (${userIds ?? null}::bigint[] is null or user_id = any(${userIds ?? null}))
        and failed_at > ${since.delays} and failed_at <= ${until}
      group by user_id, key
      having case when key = 'account:' || user_id then count(*) >= ${max.delays}
        else count(*) filter (where failed_at > ${since.hard}) >= ${max.hard} end
    ) as locked
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Deletes uses before `since` or after `until`. */
export async function deleteUsesOutside(db: Db, since: Date, until: Date): Promise<void> {
  await db
    .deleteFrom('login_failures')
    .where((eb) => eb.or([eb('failed_at', '<', since), eb('failed_at', '>', until)]))
    .execute();
}
