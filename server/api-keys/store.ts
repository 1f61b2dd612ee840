import { type Insertable, sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import type { KeyHolder } from '../http/scope.ts';

// Days are UTC, 'YYYY-MM-DD'.

export type KeyRow = Awaited<ReturnType<typeof selectKeys>>[number];

const keyColumns = (today: string) =>
  [
    'id',
    'name',
    'hash',
    'sealed',
    'created_at as createdAt',
    'usage_count as usageCount',
    sql<number>`case when usage_day >= ${today}::date then daily_usage else 0 end`.as('dailyUsage'),
    'last_used_at as lastUsed',
  ] as const;

/** The user's keys with their use, newest first. */
export function selectKeys(db: Db, userId: number, today: string) {
  return db
    .selectFrom('api_keys')
    .select(keyColumns(today))
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute();
}

/** One of the user's keys; undefined when it was deleted. */
export function selectKey(db: Db, userId: number, id: number, today: string): Promise<KeyRow | undefined> {
  return db
    .selectFrom('api_keys')
    .select(keyColumns(today))
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
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

type NewKey = Pick<Insertable<Tables['api_keys']>, 'user_id' | 'name' | 'hash' | 'sealed' | 'created_at'>;

export function insertKey(db: Db, key: NewKey, today: string): Promise<KeyRow> {
  return db.insertInto('api_keys').values(key).returning(keyColumns(today)).executeTakeFirstOrThrow();
}

/** @returns whether there was such a key of the user */
export async function deleteKey(db: Db, userId: number, id: number): Promise<boolean> {
  const result = await db.deleteFrom('api_keys').where('user_id', '=', userId).where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

// The statements of every check have names: each connection plans them once, which takes longer than to run them.

/** The keys with these hashes, each with its place from 1 on; without those whose owner's account is disabled. */
export async function selectKeysByHash(
  pool: pg.Pool,
  hashes: readonly Buffer[],
  today: string,
): Promise<({ place: number } & KeyHolder)[]> {
  const { rows } = await pool.query<{ place: number } & KeyHolder>({
    name: 'select-keys-by-hash',
    text: `select place::int, api_keys.id as "keyId", user_id as "userId", greatest(usage_day, $2::date)::text as day,
        case when usage_day >= $2::date then daily_usage else 0 end as "dailyUsage"
      from unnest($1::bytea[]) with ordinality as given (hash, place)
      join api_keys on api_keys.hash = given.hash
      join users on users.id = user_id and disabled_at is null`,
    values: [hashes, today],
  });
  return rows;
}

/** Requests that a key is charged with. */
export interface Charge {
  keyId: number;
  cost: number;
}

/** A key's UTC day when it was charged: today, or a later day when the clock of another process is ahead. */
interface Charged {
  keyId: number;
  day: string;
  /** Requests of the day before the charge. */
  used: number;
  /** False when the charge would pass the limit. Nothing was charged then. */
  fits: boolean;
}

/**
 * Charges keys, each unless its day would then pass the limit. No key may be given twice; deleted keys are missing from the
 * result. A crash of PostgreSQL itself may lose what was counted in its last 0.6 seconds: the statement does not wait for the disk.
 */
export async function chargeKeys(
  pool: pg.Pool,
  charges: readonly Charge[],
  { now, today, limit }: { now: Date; today: string; limit: number },
): Promise<Charged[]> {
  // Processes lock the rows in one order, so that they do not wait for each other in a circle.
  const { rows } = await pool.query<Charged>({
    name: 'charge-keys',
    text: `with held as (
        select id, cost, greatest(usage_day, $3::date) as day,
          case when usage_day >= $3::date then daily_usage else 0 end as used
        from unnest($1::bigint[], $2::int[]) as charge (key_id, cost) join api_keys on id = key_id
        where (select set_config('synchronous_commit', 'off', true)) = 'off'
        order by id for no key update of api_keys
      ),
      charged as (
        update api_keys set usage_count = usage_count + cost, usage_day = day, daily_usage = used + cost,
          last_used_at = greatest(last_used_at, $4::timestamptz)
        from held where api_keys.id = held.id and used + cost <= $5::int
        returning api_keys.id
      )
      select id as "keyId", day::text, used, charged.id is not null as fits from held left join charged using (id)`,
    values: [charges.map(({ keyId }) => keyId), charges.map(({ cost }) => cost), today, now, limit],
  });
  return rows;
}
