import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { locks } from '../../platform/db/locks.ts';
import type { NewRule } from './queries.ts';

/** Returns the admins' rules: all of them, or those for exactly these domains. */
export function listDecisions(db: Db, domains: readonly string[] | undefined) {
  return db
    .selectFrom('site_rules')
    .select(['domain', 'decision', 'reason'])
    .where('decision', 'in', ['allow', 'list'])
    .$if(domains !== undefined, (query) => query.where(sql<boolean>`domain = any(${domains ?? []}::text[])`))
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

/**
 * Replaces a suggestion of the domain.
 * @returns the new id, which is higher than all others; undefined if an admin has protected or shared the domain
 */
export async function insertAllowRule(db: Db, { domain, reason, userId, now }: NewRule): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into site_rules (domain, decision, reason, created_by, created_at)
    values (${domain}, 'allow', ${reason}, ${userId}, ${now})
    on conflict (domain) do update set
      id = default, decision = excluded.decision, reason = excluded.reason, created_by = excluded.created_by,
      created_at = excluded.created_at
    where site_rules.decision not in ('allow', 'shared')
    returning id
  `.execute(db);
  return rows[0]?.id;
}
