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
      coalesce((select max(id) from site_rules where decision = 'allow'), 0)::bigint as "ruleId",
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
