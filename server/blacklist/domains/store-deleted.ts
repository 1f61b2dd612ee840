import { sql } from 'kysely';
import { undoMinutes } from '#shared/blacklist/domain-changes.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Retention } from '../../platform/jobs/retention.ts';

const latest = (now: Date) => new Date(now.getTime() - undoMinutes * 60_000);

export const deletedDomainRetention: Retention = {
  table: 'deleted_domains',
  expired: (now) => sql`deleted_at < ${latest(now)}`,
};

/** Locks domains, and stores them for `restoreRows` before they are deleted. */
export async function keepRows(trx: Db, ids: readonly number[], now: Date): Promise<void> {
  await sql`
    insert into deleted_domains (id, deleted_at, domain, rule)
    select id, ${now}, to_jsonb(domains),
      (select to_jsonb(site_rules) from site_rules where site_rules.domain = name and decision = 'list')
    from domains where id = any(${ids}::bigint[])
    for update of domains
  `.execute(trx);
}

/**
 * Restores deleted domains with their listings. Those that were listed again in the meantime keep their new row.
 * @returns their names, and which of them have a new row
 */
export async function restoreRows(
  trx: Db,
  ids: readonly number[],
  now: Date,
): Promise<{ name: string; isNew: boolean }[]> {
  const { rows } = await sql<{ name: string; isNew: boolean }>`
    with kept as (
      delete from deleted_domains where id = any(${ids}::bigint[]) and deleted_at >= ${latest(now)}
      returning deleted_at, rule, jsonb_populate_record(null::domains, domain) as d
    ), restored as (
      insert into domains (id, name, tld, risk_level, risk_given, source, source_details, description, notes, niche,
        domain_rating, outbound_links, cost, added_by, added_at, updated_at, copies, proof) overriding system value
      select (d).id, (d).name, (d).tld, (d).risk_level, (d).risk_given, (d).source, (d).source_details,
        (d).description, (d).notes, (d).niche, (d).domain_rating, (d).outbound_links, (d).cost, (d).added_by,
        (d).added_at, (d).updated_at, (d).copies, (d).proof
      from kept
      on conflict (name) do nothing
      returning name
    ), listed as (
      update listings set withdrawn_at = null from kept
      where listings.name = (d).name and withdrawn_at = kept.deleted_at
    ), ruled as (
      insert into site_rules overriding system value
      select (jsonb_populate_record(null::site_rules, rule)).* from kept where rule is not null
      on conflict (domain) do nothing
    )
    select (d).name as name, not exists (select from restored where restored.name = (d).name) as "isNew" from kept
  `.execute(trx);
  return rows;
}
