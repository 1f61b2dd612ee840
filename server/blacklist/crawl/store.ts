import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** @returns undefined if no admin has decided */
export async function findSetting(db: Db): Promise<boolean | undefined> {
  return (await db.selectFrom('crawl_setting').select('enabled').executeTakeFirst())?.enabled;
}

export async function upsertSetting(db: Db, enabled: boolean): Promise<void> {
  await db
    .insertInto('crawl_setting')
    .values({ enabled })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ enabled }))
    .execute();
}

/**
 * Reserves the next turn of a host.
 * @returns the milliseconds until it; undefined, and reserves nothing, if that is more than `maxWaitMs`
 */
export async function reserveTurn(
  db: Db,
  host: string,
  { intervalMs, maxWaitMs }: { intervalMs: number; maxWaitMs: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ wait: number }>`
    insert into crawl_turns as turn (host, next_at)
    values (${host}, clock_timestamp() + ${toInterval(intervalMs)})
    on conflict (host) do update set next_at = greatest(turn.next_at, clock_timestamp()) + ${toInterval(intervalMs)}
    where turn.next_at <= clock_timestamp() + ${toInterval(maxWaitMs)}
    returning extract(epoch from next_at - ${toInterval(intervalMs)} - clock_timestamp())::float8 * 1000 as wait
  `.execute(db);
  return rows[0] && Math.max(0, rows[0].wait);
}

/** Lets a host rest for at least this long. */
export async function postponeTurns(db: Db, host: string, ms: number): Promise<void> {
  await sql`
    update crawl_turns set next_at = greatest(next_at, clock_timestamp() + ${toInterval(ms)}) where host = ${host}
  `.execute(db);
}

/** Returns the robots.txt of an origin that was read after `since`. `rules` is null if it could not be read. */
export function findRobots(db: Db, origin: string, since: { read: Date; failed: Date }) {
  return db
    .selectFrom('crawl_robots')
    .select('rules')
    .where('origin', '=', origin)
    .where(sql<boolean>`read_at > case when rules is null then ${since.failed}::timestamptz else ${since.read} end`)
    .executeTakeFirst();
}

export async function upsertRobots(db: Db, origin: string, rules: string | null, now: Date): Promise<void> {
  await db
    .insertInto('crawl_robots')
    .values({ origin, rules, read_at: now })
    .onConflict((conflict) => conflict.column('origin').doUpdateSet({ rules, read_at: now }))
    .execute();
}

/** Whether the owner of one of the names stopped the visits. */
export async function isOptedOut(db: Db, names: readonly string[]): Promise<boolean> {
  const row = await db
    .selectFrom('crawl_opt_outs')
    .select('id')
    .where(sql<boolean>`domain = any(${names}::text[])`)
    .where('verified_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Inserts an opt-out, or returns the one that the user has for the domain. */
export async function upsertOptOut(
  db: Db,
  userId: number,
  { domain, proof, token, now }: { domain: string; proof: 'dns' | 'file'; token: string; now: Date },
): Promise<OptOutRow> {
  return await db
    .insertInto('crawl_opt_outs')
    .values({ user_id: userId, domain, proof, token, created_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'domain']).doUpdateSet({ proof }))
    .returning(columns)
    .executeTakeFirstOrThrow();
}

const columns = ['id', 'domain', 'proof', 'token', 'created_at as createdAt', 'verified_at as verifiedAt'] as const;

export type OptOutRow = NonNullable<Awaited<ReturnType<typeof findOptOut>>>;

export function findOptOut(db: Db, userId: number, id: number) {
  return db
    .selectFrom('crawl_opt_outs')
    .select(columns)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export function listOptOuts(db: Db, userId: number, after = 0, limit = 1000) {
  return db
    .selectFrom('crawl_opt_outs')
    .select(columns)
    .where('user_id', '=', userId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function markOptOutVerified(db: Db, id: number, now: Date): Promise<void> {
  await db.updateTable('crawl_opt_outs').set({ verified_at: now }).where('id', '=', id).execute();
}

/** @returns whether the user had it */
export async function deleteOptOut(db: Db, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('crawl_opt_outs')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes the unverified opt-outs of a user. Verified ones are the wish of an owner and stay. */
export async function deleteUnverifiedOfUser(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('crawl_opt_outs').where('user_id', '=', userId).where('verified_at', 'is', null).execute();
}

const toInterval = (ms: number) => sql`make_interval(secs => ${ms / 1000})`;
