import { sql } from 'kysely';
import type { EventCounts } from '#shared/alert-texts.ts';
import type { AlertEvent } from '#shared/watch.ts';
import type { Db } from '../db/database.ts';

/**
 * Returns how many seconds ago the first and the last unmatched change happened; undefined if all changes are matched.
 */
export async function findUnmatchedAges(db: Db): Promise<{ first: number; last: number } | undefined> {
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select extract(epoch from clock_timestamp() - min(changed_at))::float8 as first,
      extract(epoch from clock_timestamp() - max(changed_at))::float8 as last
    from domain_changes where matched_at is null
  `.execute(db);
  const { first, last } = rows[0] ?? {};
  return first == null || last == null ? undefined : { first, last };
}

/** Returns the ids of the unmatched changes. */
export async function listUnmatchedIds(trx: Db): Promise<number[]> {
  const rows = await trx
    .selectFrom('domain_changes')
    .select('id')
    .where('matched_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function listChangedNames(trx: Db, id: number): Promise<string[]> {
  const { names } = await trx
    .selectFrom('domain_changes')
    .select('names')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return names;
}

export async function setMatched(trx: Db, ids: readonly number[]): Promise<void> {
  await trx
    .updateTable('domain_changes')
    .set({ matched_at: sql<Date>`clock_timestamp()` })
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute();
}

/** Deletes changes that were matched long ago: no running analysis started its lookups before them. */
export async function deleteOldChanges(db: Db): Promise<void> {
  await sql`delete from domain_changes where matched_at < clock_timestamp() - interval '2 days'`.execute(db);
}

/** Creates the temporary tables of a comparison. */
export async function createMatchingTables(trx: Db): Promise<void> {
  await sql`create temporary table changed_sites (site text collate "C") on commit drop`.execute(trx);
  await sql`
    create temporary table verdicts (
      host text collate "C", site text collate "C", domain text collate "C", risk_level smallint
    ) on commit drop
  `.execute(trx);
}

export const copyChangedSites = 'copy changed_sites (site) from stdin';

/** Yields the hosts of all websites whose registrable domain is among `changed_sites`, each once, with that domain. */
export async function* readAffectedHosts(
  trx: Db,
  pageSize: number,
): AsyncGenerator<readonly { host: string; site: string }[]> {
  await sql`analyze changed_sites`.execute(trx);
  await sql`
    declare affected_hosts no scroll cursor for
    select distinct host, site from website_hosts where site in (select site from changed_sites)
  `.execute(trx);
  for (;;) {
    const { rows } = await sql<{ host: string; site: string }>`fetch ${sql.lit(pageSize)} from affected_hosts`.execute(
      trx,
    );
    if (rows.length > 0) yield rows;
    if (rows.length < pageSize) break;
  }
  await sql`close affected_hosts`.execute(trx);
}

/** Adds verdicts about hosts. Each parameter has one line per host; the domain and risk are empty if it is not listed. */
export async function insertVerdicts(
  trx: Db,
  { hosts, sites, domains, risks }: { hosts: string; sites: string; domains: string; risks: string },
): Promise<void> {
  await sql`
    insert into verdicts (host, site, domain, risk_level)
    select * from unnest(
      string_to_array(${hosts}, E'\n'), string_to_array(${sites}, E'\n'),
      string_to_array(${domains}, E'\n', ''), string_to_array(${risks}, E'\n', '')::smallint[]
    )
  `.execute(trx);
}

/**
 * Stores the verdicts about the hosts of all websites, and creates an alert for each website and domain that decides
 * about hosts whose risk changed. A host that another listed name now decides about has the same risk as before: no
 * alert. Neither has a domain that is still listed, but no longer decides about a host, because of an allow rule.
 * @returns the id of the run, and the number of alerts
 */
export async function applyVerdicts(trx: Db, now: Date): Promise<{ runId: number; alerts: number }> {
  await sql`analyze verdicts`.execute(trx);
  const { rows } = await sql<{ runId: number; alerts: number }>`
    with moved as materialized (
      select hosts.profile_id, hosts.host, hosts.site, hosts.backlinks, hosts.domain as old_domain, hosts.risk_level as old_level,
        verdicts.domain, verdicts.risk_level
      from verdicts
      join website_hosts as hosts on hosts.site = verdicts.site and hosts.host = verdicts.host
      where (hosts.domain, hosts.risk_level) is distinct from (verdicts.domain, verdicts.risk_level)
    ),
    updated as (
      update website_hosts as hosts set domain = moved.domain, risk_level = moved.risk_level
      from moved where hosts.site = moved.site and hosts.host = moved.host and hosts.profile_id = moved.profile_id
    ),
    transition as (
      select profile_id, coalesce(domain, old_domain) as domain, sum(backlinks) as backlinks,
        min(coalesce(old_level, 0)) as before, max(coalesce(risk_level, 0)) as after
      from moved group by profile_id, coalesce(domain, old_domain)
    ),
    event as (
      select transition.*,
        case when before = 0 then 'listed' when after = 0 then 'delisted' when after > before then 'raised' else 'lowered' end as event
      from transition where before <> after
    ),
    run as (select nextval('alert_runs') as id),
    added as (
      insert into alerts
        (run_id, profile_id, domain, event, from_level, to_level, backlinks, source_count, copies, proof, created_at, mailed_at)
      select run.id, profile_id, event.domain, event, nullif(before, 0), nullif(after, 0), event.backlinks,
        domains.source_count, domains.copies, domains.proof, ${now}::timestamptz,
        case when coalesce(digest, 'off') = 'off' then ${now}::timestamptz end
      from run
      cross join event
      join profiles on profiles.id = profile_id and user_id is not null
      left join watches using (profile_id)
      left join domains on domains.name = event.domain
      where coalesce(enabled, true) and (after = 0) = (domains.name is null) and case event
        when 'listed' then coalesce(listed, true) when 'raised' then coalesce(raised, true)
        when 'lowered' then coalesce(lowered, true) else coalesce(delisted, true) end
      order by profile_id, after desc, event.domain
      returning run_id
    )
    select run.id as "runId", (select count(*) from added) as alerts from run
  `.execute(trx);
  return rows[0] ?? { runId: 0, alerts: 0 };
}

/** The alerts of a website that a run created. */
export interface RunAlerts {
  profileId: number;
  userId: number;
  website: string;
  counts: EventCounts;
  /** The most serious ones: highest level first, then most links. Levels are 1 to 4. */
  alerts: {
    id: number;
    domain: string;
    event: AlertEvent;
    from: number | null;
    to: number | null;
    backlinks: number;
  }[];
}

/** Returns the alerts of a run by website, up to `max` of each. */
export async function listRunAlerts(trx: Db, runId: number, max: number): Promise<RunAlerts[]> {
  const { rows } = await sql<RunAlerts>`
    with ranked as (
      select *, row_number() over (partition by profile_id order by to_level desc nulls last, backlinks desc, id) as rank,
        count(*) over (partition by profile_id, event) as count
      from alerts where run_id = ${runId}
    )
    select profile_id as "profileId", user_id as "userId", profiles.domain as website,
      jsonb_object_agg(event, count) as counts,
      jsonb_agg(
        jsonb_build_object('id', ranked.id, 'domain', ranked.domain, 'event', event, 'from', from_level, 'to', to_level,
          'backlinks', backlinks)
        order by rank
      ) filter (where rank <= ${max}) as alerts
    from ranked join profiles on profiles.id = profile_id
    group by profile_id, user_id, profiles.domain
    order by profile_id
  `.execute(trx);
  return rows;
}
