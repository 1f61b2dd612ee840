import { type Insertable, sql } from 'kysely';
import type pg from 'pg';
import type { ApiKeyScope } from '#shared/accounts/api-key-scopes.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/tables.ts';
import type { KeyHolder } from '../../platform/http/scope.ts';

// Days are UTC days as 'YYYY-MM-DD'.

export type KeyRow = Awaited<ReturnType<typeof listKeyRows>>[number];

const keyColumns = (today: string) =>
  [
    'id',
    'name',
    'hash',
    'sealed',
    'created_at as createdAt',
    'usage_count as usageCount',
    sql<number>`case when usage_day between ${today}::date and ${today}::date + 1 then daily_usage else 0 end`.as(
      'dailyUsage',
    ),
    'last_used_at as lastUsed',
    'last_address as lastAddress',
    'expires_at as expiresAt',
    'previous_expires_at as previousExpiresAt',
    'oauth_client_id as oauthClientId',
    sql<string | null>`(select metadata #>> '{redirect_uris,0}' from oauth_clients where id = oauth_client_id)`.as(
      'redirectUri',
    ),
    'scopes',
    'scopes_chosen as scopesChosen',
  ] as const;

/** The user's keys with their usage, newest first. */
export function listKeyRows(db: Db, userId: number, today: string) {
  return db
    .selectFrom('api_keys')
    .select(keyColumns(today))
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute();
}

/** Returns undefined if the user has no such key. */
export function findKeyRow(db: Db, userId: number, id: number, today: string): Promise<KeyRow | undefined> {
  return db
    .selectFrom('api_keys')
    .select(keyColumns(today))
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/**
 * Locks the user until the transaction ends, so that keys of one user are created one after the other.
 * @returns whether the user exists
 */
export async function lockUser(trx: Db, userId: number): Promise<boolean> {
  const row = await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().executeTakeFirst();
  return row !== undefined;
}

/** Without the connections of assistants. */
export async function countKeys(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('api_keys')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', '=', userId)
    .where('oauth_client_id', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

type NewKey = Pick<
  Insertable<Tables['api_keys']>,
  'user_id' | 'name' | 'hash' | 'sealed' | 'created_at' | 'expires_at' | 'scopes'
>;

export function insertKey(db: Db, key: NewKey, today: string): Promise<KeyRow> {
  return db.insertInto('api_keys').values(key).returning(keyColumns(today)).executeTakeFirstOrThrow();
}

/**
 * Replaces the value of a key. The value before works until `previousExpiresAt`, and the one before that stops working.
 * @returns undefined if the user has no such key
 */
export function replaceKeyValue(
  db: Db,
  { userId, id }: { userId: number; id: number },
  { hash, sealed, expiresAt, previousExpiresAt }: ReplacedValue,
  today: string,
): Promise<KeyRow | undefined> {
  return db
    .updateTable('api_keys')
    .set({
      hash,
      sealed,
      expires_at: expiresAt,
      previous_hash: sql<Buffer>`hash`,
      previous_expires_at: previousExpiresAt,
    })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(keyColumns(today))
    .executeTakeFirst();
}

interface ReplacedValue {
  hash: Buffer;
  sealed: Buffer;
  expiresAt: Date | null;
  previousExpiresAt: Date;
}

export async function updateScopes(
  trx: Db,
  { userId, id }: { userId: number; id: number },
  scopes: readonly ApiKeyScope[],
): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set({ scopes: [...scopes], scopes_chosen: true })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute();
}

/** @returns what was deleted, undefined if the user had no such key */
export function deleteKey(db: Db, userId: number, id: number) {
  return db
    .deleteFrom('api_keys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(['name', 'oauth_client_id as oauthClientId'])
    .executeTakeFirst();
}

export async function deleteKeysOfUser(trx: Db, userId: number): Promise<void> {
  await trx.deleteFrom('api_keys').where('user_id', '=', userId).execute();
}

/**
 * SQL for the day that a call counts for: today, or tomorrow if another process with a faster clock has begun it. A
 * later day comes from a clock that was wrong, and would block the key until then.
 */
const chargedDay = (today: string) =>
  `(case when usage_day = ${today}::date + 1 then usage_day else ${today}::date end)`;

// Every check runs these statements. They have names, so that each connection plans them only once: planning takes
// longer than running.

/** The key that a value belongs to. */
export interface FoundKey extends Omit<KeyHolder, 'address'> {
  /** When the value stops working. */
  expiresAt: Date | null;
  /** Whether a rotation replaced the value. */
  isReplaced: boolean;
}

/**
 * The keys with these hashes, including expired ones. `position` is the position of the hash, from 1. Keys of disabled
 * accounts and hashes without a key are left out.
 */
export async function listKeyHoldersByHash(
  pool: pg.Pool,
  hashes: readonly Buffer[],
  today: string,
): Promise<({ position: number } & FoundKey)[]> {
  // A join with "or" instead of "union all" takes about 15 % longer for one value.
  const { rows } = await pool.query<{ position: number } & FoundKey>({
    name: 'select-keys-by-hash',
    text: `select place::int as position, key.id as "keyId", user_id as "userId", ${chargedDay('$2')}::text as day,
        case when usage_day = ${chargedDay('$2')} then daily_usage else 0 end as "dailyUsage", key.expires_at as "expiresAt",
        is_replaced as "isReplaced", key.scopes
      from unnest($1::bytea[]) with ordinality as given (hash, place)
      cross join lateral (
        select id, user_id, usage_day, daily_usage, expires_at, false as is_replaced, scopes
        from api_keys where hash = given.hash
        union all
        select id, user_id, usage_day, daily_usage, previous_expires_at, true, scopes
        from api_keys where previous_hash = given.hash
      ) as key
      join users on users.id = user_id and disabled_at is null`,
    values: [hashes, today],
  });
  return rows;
}

/**
 * The connection that an access token belongs to, unless the account of its owner is disabled, with the scopes that
 * both allow.
 */
export async function findTokenHolder(
  pool: pg.Pool,
  { hash, resource, now, today }: { hash: Buffer; resource: string; now: Date; today: string },
): Promise<Omit<KeyHolder, 'address'> | undefined> {
  const { rows } = await pool.query<Omit<KeyHolder, 'address'>>({
    name: 'select-token-holder',
    text: `select key.id as "keyId", user_id as "userId", ${chargedDay('$4')}::text as day,
        case when usage_day = ${chargedDay('$4')} then daily_usage else 0 end as "dailyUsage", array(
          select scope from unnest(scopes) as scope where scope = any(string_to_array(payload ->> 'scope', ' '))
        ) as scopes
      from oauth_records join api_keys as key on key.id = key_id
      join users on users.id = user_id and disabled_at is null
      where oauth_records.hash = $1 and oauth_records.expires_at > $3 and payload ->> 'aud' = $2`,
    values: [hash, resource, now, today],
  });
  return rows[0];
}

/** `cost` is a number of requests. */
export interface Charge {
  keyId: number;
  cost: number;
  /** The address that sent the request. */
  address: string;
}

interface Charged {
  keyId: number;
  /** The day that was charged: today, or tomorrow if another process with a faster clock has charged the key. */
  day: string;
  /** Requests used on that day before the charge. */
  used: number;
  /** False if the charge would exceed the limit. Nothing was charged then. */
  fits: boolean;
}

/**
 * Charges each key, unless the charge would exceed its daily limit. Each key may occur only once. Deleted keys are
 * missing from the result. The statement does not wait for the disk: a crash of PostgreSQL can lose the charges of the
 * last 0.6 seconds (three times `wal_writer_delay`).
 */
export async function chargeKeys(
  pool: pg.Pool,
  charges: readonly Charge[],
  { now, today, limit }: { now: Date; today: string; limit: number },
): Promise<Charged[]> {
  // All processes lock the rows in the same order, which prevents deadlocks.
  const { rows } = await pool.query<Charged>({
    name: 'charge-keys',
    text: `with locked as (
        select id, cost, address, ${chargedDay('$3')} as day,
          case when usage_day = ${chargedDay('$3')} then daily_usage else 0 end as used
        from unnest($1::bigint[], $2::int[], $6::text[]) as charge (key_id, cost, address) join api_keys on id = key_id
        where (select set_config('synchronous_commit', 'off', true)) = 'off'
        order by id for no key update of api_keys
      ),
      charged as (
        update api_keys set usage_count = usage_count + cost, usage_day = day, daily_usage = used + cost,
          last_used_at = greatest(last_used_at, $4::timestamptz), last_address = address
        from locked where api_keys.id = locked.id and used + cost <= $5::int
        returning api_keys.id
      )
      select id as "keyId", day::text, used, charged.id is not null as fits from locked left join charged using (id)`,
    values: [
      charges.map(({ keyId }) => keyId),
      charges.map(({ cost }) => cost),
      today,
      now,
      limit,
      charges.map(({ address }) => address),
    ],
  });
  return rows;
}
