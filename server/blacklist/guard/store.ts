import { sql } from 'kysely';
import { type Db, toLikePattern } from '../../platform/db/database.ts';
import { locks } from '../../platform/db/locks.ts';

/** Returns the admins' rules: all of them, or those for exactly these domains. */
export function listDecisions(db: Db, domains: readonly string[] | undefined) {
  return db
    .selectFrom('site_rules')
    .select(['domain', 'decision', 'reason'])
    .$if(domains !== undefined, (query) => query.where(sql<boolean>`domain = any(${domains ?? []}::text[])`))
    .execute();
}

interface NewRule {
  domain: string;
  reason: string;
  userId: number;
  now: Date;
}

export async function upsertListRule(db: Db, { domain, reason, userId, now }: NewRule): Promise<void> {
  const rule = { decision: 'list' as const, reason, created_by: userId, created_at: now };
  await db
    .insertInto('site_rules')
    .values({ domain, ...rule })
    .onConflict((conflict) => conflict.column('domain').doUpdateSet(rule))
    .execute();
}

/** Deletes the rules that list exactly these domains. */
export async function deleteListDecisions(db: Db, domains: readonly string[]): Promise<void> {
  await db
    .deleteFrom('site_rules')
    .where('decision', '=', 'list')
    .where(sql<boolean>`domain = any(${domains}::text[])`)
    .execute();
}

/** Deletes the rules that list a domain or one of its subdomains. */
export async function deleteListRules(db: Db, domain: string): Promise<void> {
  await db
    .deleteFrom('site_rules')
    .where('decision', '=', 'list')
    .where(({ or, eb }) => or([eb('domain', '=', domain), eb('domain', 'like', `%${toLikeEnding(domain)}`)]))
    .execute();
}

/** An underscore is a wildcard in a pattern. */
const toLikeEnding = (domain: string) => `.${domain}`.replaceAll('_', '\\_');

/** Waits until no import is being written, and keeps others waiting until the transaction ends. */
export async function lockMerge(trx: Db, timeoutSeconds: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${timeoutSeconds}s`}, true)`.execute(trx);
  await sql`select pg_advisory_xact_lock(${locks.merge})`.execute(trx);
}

/** What the guard protects at a moment: the newest allow rule, and the last change of a list that protects sites. */
export interface GuardVersion {
  ruleId: number;
  /** In microseconds. */
  listTime: number;
}

export async function getGuardVersion(db: Db): Promise<GuardVersion> {
  const { rows } = await sql<GuardVersion>`
    select
      coalesce((select max(id) from site_rules where decision = 'allow'), 0)::bigint as "ruleId",
      coalesce((
        select max(extract(epoch from finished_at) * 1e6) from feed_runs join feeds on feeds.id = feed_id
        where feed_runs.status = 'completed' and feed_runs.added > 0 and feeds.kind = 'allow'
      ), 0)::bigint as "listTime"
  `.execute(db);
  return rows[0] ?? { ruleId: 0, listTime: 0 };
}

/** Returns the names of lists that protect sites, with the names of the lists: all of them, or only these names. */
export async function listProtectedNames(db: Db, names: readonly string[] | undefined): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('feed_names')
    .innerJoin('feeds', 'feeds.id', 'feed_id')
    .select(['feed_names.name', 'feeds.name as list'])
    .where('feeds.kind', '=', 'allow')
    .where('feeds.deleted_at', 'is', null)
    .$if(names !== undefined, (query) => query.where(sql<boolean>`feed_names.name = any(${names ?? []}::text[])`))
    .execute();
  return new Map(rows.map(({ name, list }) => [name, list]));
}

/** @returns the new id, or undefined if the domain already has a rule */
export async function insertAllowRule(db: Db, { domain, reason, userId, now }: NewRule): Promise<number | undefined> {
  const row = await db
    .insertInto('site_rules')
    .values({ domain, decision: 'allow', reason, created_by: userId, created_at: now })
    .onConflict((conflict) => conflict.column('domain').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export async function deleteAllowRule(db: Db, id: number): Promise<string | undefined> {
  const row = await db
    .deleteFrom('site_rules')
    .where('id', '=', id)
    .where('decision', '=', 'allow')
    .returning('domain')
    .executeTakeFirst();
  return row?.domain;
}

export type AllowRuleRow = NonNullable<Awaited<ReturnType<typeof findAllowRule>>>;

export function findAllowRule(db: Db, id: number) {
  return allowRules(db).where('site_rules.id', '=', id).executeTakeFirst();
}

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
  const { total } = await db
    .selectFrom('site_rules')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where(matches)
    .executeTakeFirstOrThrow();
  return { rows, total };
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
