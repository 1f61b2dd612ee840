import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '../db/database.ts';

export type KeyRow = Awaited<ReturnType<typeof listKeys>>[number];

/** The user's keys with their use, newest first. */
export function listKeys(db: Db, userId: number, now: Date) {
  return db
    .selectFrom('api_keys')
    .leftJoin('api_key_usage as usage', 'usage.key_id', 'api_keys.id')
    .select([
      'api_keys.id',
      'name',
      'hash',
      'sealed',
      'created_at as createdAt',
      sql<number>`coalesce(sum(requests), 0)::bigint`.as('usageCount'),
      sql<number>`coalesce(sum(requests) filter (where day = (${now}::timestamptz at time zone 'UTC')::date), 0)::bigint`.as(
        'dailyUsage',
      ),
      sql<Date | null>`max(last_used_at) filter (where requests > 0)`.as('lastUsedAt'),
    ])
    .where('user_id', '=', userId)
    .groupBy('api_keys.id')
    .orderBy('api_keys.id', 'desc')
    .execute();
}

/** Others that make a key of the same user wait here until the transaction ends. @returns whether there is such a user */
export async function lockOwner(trx: Db, userId: number): Promise<boolean> {
  const row = await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().executeTakeFirst();
  return row !== undefined;
}

export async function countKeys(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('api_keys')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

export interface NewKey {
  userId: number;
  name: string;
  hash: Buffer;
  sealed: Buffer;
  now: Date;
}

/** @returns its id */
export async function insertKey(db: Db, key: NewKey): Promise<number> {
  const { id } = await db
    .insertInto('api_keys')
    .values({ user_id: key.userId, name: key.name, hash: key.hash, sealed: key.sealed, created_at: key.now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** @returns whether there was such a key of the user */
export async function deleteKey(db: Db, userId: number, id: number): Promise<boolean> {
  const result = await db.deleteFrom('api_keys').where('user_id', '=', userId).where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export interface FoundKey {
  /** Of the hash that it was found by, from 1 on. */
  place: number;
  keyId: number;
  userId: number;
  /** Requests of the day. */
  used: number;
}

/**
 * The keys of hashes with their requests of a UTC day; without those whose owner's account is disabled. It has a name: each
 * connection plans it once, which takes longer than to answer it.
 */
export async function findKeysByHash(pool: pg.Pool, hashes: readonly Buffer[], day: string): Promise<FoundKey[]> {
  const { rows } = await pool.query<FoundKey>({
    name: 'find-keys-by-hash',
    text: `select place::int, api_keys.id as "keyId", user_id as "userId", coalesce(requests, 0) as used
      from unnest($1::bytea[]) with ordinality as asked (hash, place)
      join api_keys on api_keys.hash = asked.hash
      join users on users.id = user_id and disabled_at is null
      left join api_key_usage on key_id = api_keys.id and day = $2::date`,
    values: [hashes, day],
  });
  return rows;
}
