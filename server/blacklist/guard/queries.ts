import { sql } from 'kysely';
import { countRows, type Db, toLikePattern } from '../../platform/db/database.ts';

/** What the guard protects at a moment: the newest allow rule, and the last change of a list that protects sites. */
export interface GuardVersion {
  ruleId: number;
  /** In microseconds. */
  listTime: number;
}

function allowRules(db: Db) {
  return db
    .selectFrom('site_rules')
    .leftJoin('users', 'users.id', 'site_rules.created_by')
    .select([
      'site_rules.id',
      'site_rules.domain',
      'site_rules.reason',
      'users.username as createdBy',
      'site_rules.created_at as dateCreated',
    ])
    .where('decision', '=', 'allow');
}

/** An admin's decision about a name. */
export interface NewRule {
  domain: string;
  reason: string;
  userId: number;
  now: Date;
}

/**
 * Lets later imports of exactly this name pass, because an admin decided to list it. Replaces an allow rule on exactly
 * this name.
 */
export async function saveListRule(trx: Db, { domain, reason, userId, now }: NewRule): Promise<void> {
  const rule = { decision: 'list' as const, reason, created_by: userId, created_at: now };
  await trx
    .insertInto('site_rules')
    .values({ domain, ...rule })
    .onConflict((conflict) => conflict.column('domain').doUpdateSet(rule))
    .execute();
}

export type AllowRuleRow = NonNullable<Awaited<ReturnType<typeof findAllowRule>>>;

/** Deletes the rules that list exactly these domains. */
export async function deleteListDecisions(db: Db, domains: readonly string[]): Promise<void> {
  await db
    .deleteFrom('site_rules')
    .where('decision', '=', 'list')
    .where(sql<boolean>`domain = any(${domains}::text[])`)
    .execute();
}

/** Returns the current version of the guard, to compare later with `hasGuardGrown`. */
export async function getGuardVersion(db: Db): Promise<GuardVersion> {
  const { rows } = await sql<GuardVersion>`
    select
      coalesce((select max(id) from site_rules where decision in ('allow', 'shared')), 0)::bigint as "ruleId",
      coalesce((
        select max(extract(epoch from finished_at) * 1e6) from feed_runs join feeds on feeds.id = feed_id
        where feed_runs.status = 'completed' and feed_runs.added > 0 and feeds.kind = 'allow'
      ), 0)::bigint as "listTime"
  `.execute(db);
  return rows[0] ?? { ruleId: 0, listTime: 0 };
}

/** @returns the domain of the deleted rule, undefined if there is no such allow rule */
export async function deleteAllowRule(db: Db, id: number): Promise<string | undefined> {
  const row = await db
    .deleteFrom('site_rules')
    .where('id', '=', id)
    .where('decision', '=', 'allow')
    .returning('domain')
    .executeTakeFirst();
  return row?.domain;
}

export function findAllowRule(db: Db, id: number) {
  return allowRules(db).where('site_rules.id', '=', id).executeTakeFirst();
}

/** A page of allow rules, newest first, and the number of all that match. */
export async function listAllowRules(
  db: Db,
  { search, page, pageSize }: { search?: string | undefined; page: number; pageSize: number },
) {
  const pattern = toLikePattern(search ?? '');
  const matches = sql<boolean>`decision = 'allow' and (domain ilike ${pattern} or reason ilike ${pattern})`;
  const rows = await allowRules(db)
    .where(matches)
    .orderBy('site_rules.created_at', 'desc')
    .orderBy('site_rules.id', 'desc')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute();
  return { rows, total: await countRows(db.selectFrom('site_rules').where(matches)) };
}

/** Returns the shared hosts that admins added. */
export async function listSharedHosts(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('site_rules').select('domain').where('decision', '=', 'shared').execute();
  return rows.map(({ domain }) => domain);
}

export type SharedHostRow = Awaited<ReturnType<typeof listSharedHostRules>>[number];

/** Returns the shared hosts that admins added and those that uploads suggest, newest first. */
export function listSharedHostRules(db: Db) {
  return db
    .selectFrom('site_rules')
    .leftJoin('users', 'users.id', 'site_rules.created_by')
    .select([
      'site_rules.id',
      'site_rules.domain',
      'site_rules.decision',
      'site_rules.reason',
      'users.username as createdBy',
      'site_rules.created_at as dateCreated',
    ])
    .where('decision', 'in', ['shared', 'suggested'])
    .orderBy('site_rules.created_at', 'desc')
    .orderBy('site_rules.id', 'desc')
    .execute();
}

/** Replaces any other rule for exactly this host. @returns its id, which is higher than all others */
export async function upsertSharedHost(
  trx: Db,
  { domain, reason, userId, now }: { domain: string; reason: string; userId: number; now: Date },
): Promise<number> {
  await trx.deleteFrom('site_rules').where('domain', '=', domain).execute();
  const { id } = await trx
    .insertInto('site_rules')
    .values({ domain, decision: 'shared', reason, created_by: userId, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** @returns the host, undefined if no admin added it */
export async function deleteSharedHost(trx: Db, id: number): Promise<string | undefined> {
  const query = trx.deleteFrom('site_rules').where('id', '=', id).where('decision', '=', 'shared').returning('domain');
  return (await query.executeTakeFirst())?.domain;
}

/** Suggestions that wait for an admin: all of them, and those from the uploads of one account. More are not stored. */
const maxSuggestions = { total: 200, perAccount: 20 };

/** Stores suggestions of domains without a rule, from an upload of this user. */
export async function insertSuggestions(
  trx: Db,
  rows: readonly { domain: string; reason: string }[],
  { userId, now }: { userId: number | null; now: Date },
): Promise<void> {
  const { total, own } = await trx
    .selectFrom('site_rules')
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      fn.countAll<number>().filterWhere('created_by', 'is not distinct from', userId).as('own'),
    ])
    .where('decision', '=', 'suggested')
    .executeTakeFirstOrThrow();
  const room = Math.max(0, Math.min(maxSuggestions.total - total, maxSuggestions.perAccount - own));
  const values = rows
    .slice(0, room)
    .map((row) => ({ ...row, decision: 'suggested' as const, created_by: userId, created_at: now }))
    // Two transactions that insert the same domains in different orders would wait for each other.
    .sort((a, b) => (a.domain < b.domain ? -1 : 1));
  if (values.length === 0) return;
  await trx
    .insertInto('site_rules')
    .values(values)
    .onConflict((conflict) => conflict.column('domain').doNothing())
    .execute();
}

/** @returns whether the host was suggested */
export async function dismissSuggestion(trx: Db, domain: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('site_rules')
    .set({ decision: 'dismissed' })
    .where('domain', '=', domain)
    .where('decision', '=', 'suggested')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns the names of sources by their ids. */
export async function findSourceNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('sources')
    .select(['id', 'name'])
    .where(sql<boolean>`id = any(${ids}::integer[])`)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
