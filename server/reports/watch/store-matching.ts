import { type RawBuilder, sql } from 'kysely';
import type { EventCounts } from '#shared/reports/alert-texts.ts';
import type { AlertEvent } from '#shared/reports/watch.ts';
import type { Db } from '../../platform/db/database.ts';
import { worstFirst } from '../alerts/queries.ts';

/**
 * Returns how many seconds ago the first and the last unmatched change happened; undefined if all changes are matched.
 */
export async function findUnmatchedAges(db: Db): Promise<{ first: number; last: number } | undefined> {
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select extract(epoch from clock_timestamp() - min(changed_at))::float8 as first,
      extract(epoch from clock_timestamp() - max(changed_at))::float8 as last
    from domain_changes where matched_at is null and cardinality(names) > 0
  `.execute(db);
  const { first, last } = rows[0] ?? {};
  return first == null || last == null ? undefined : { first, last };
}

/** Returns the unmatched changes, and whether the blacklist was emptied before them. */
export async function findUnmatched(trx: Db): Promise<{ ids: number[]; isAfterEmptying: boolean }> {
  const rows = await trx
    .selectFrom('domain_changes')
    .select(['id', sql<boolean>`cardinality(names) = 0`.as('isEmptying')])
    .where('matched_at', 'is', null)
    .orderBy('id')
    .execute();
  return { ids: rows.map(({ id }) => id), isAfterEmptying: rows.some(({ isEmptying }) => isEmptying) };
}

/** Returns the ids of the changes that were matched since a time. */
export async function listMatchedIds(trx: Db, since: Date): Promise<number[]> {
  const rows = await trx.selectFrom('domain_changes').select('id').where('matched_at', '>=', since).execute();
  return rows.map(({ id }) => id);
}

export async function setMatched(trx: Db, ids: readonly number[]): Promise<void> {
  await trx
    .updateTable('domain_changes')
    .set({ matched_at: sql<Date>`clock_timestamp()` })
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute();
}

/** Creates the temporary tables of a comparison. */
export async function createMatchingTables(trx: Db): Promise<void> {
  await sql`create temporary table changed_domains (registrable_domain text collate "C") on commit drop`.execute(trx);
  await sql`
    create temporary table verdicts (
      host text collate "C", registrable_domain text collate "C", domain text collate "C", risk_level smallint,
      is_exempt boolean
    ) on commit drop
  `.execute(trx);
}

/** Yields the rows of a query in pages. */
async function* fetchPages<Row>(
  trx: Db,
  cursor: string,
  query: RawBuilder<Row>,
  pageSize: number,
): AsyncGenerator<Row[]> {
  await sql`declare ${sql.id(cursor)} no scroll cursor for ${query}`.execute(trx);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(pageSize)} from ${sql.id(cursor)}`.execute(trx);
    if (rows.length > 0) yield rows;
    if (rows.length < pageSize) break;
  }
  await sql`close ${sql.id(cursor)}`.execute(trx);
}

/** Yields the names of changes in pages. */
export const readChangedNames = (trx: Db, ids: readonly number[], pageSize: number) =>
  fetchPages(
    trx,
    'changed_names',
    sql<{ name: string }>`select name from domain_changes, unnest(names) as name where id = any(${ids}::bigint[])`,
    pageSize,
  );

/** Adds registrable domains whose hosts are compared. @param registrableDomains one per line */
export async function insertChangedDomains(trx: Db, registrableDomains: string): Promise<void> {
  await sql`insert into changed_domains select * from unnest(string_to_array(${registrableDomains}, E'\n'))`.execute(
    trx,
  );
}

/** Adds the registrable domains of all hosts that had a listing when they were compared last. */
export async function insertListedSites(trx: Db): Promise<void> {
  await sql`insert into changed_domains select distinct registrable_domain from website_hosts where domain is not null`.execute(
    trx,
  );
}

/** Selects the hosts of one website, or of all. */
const ofWebsite = (websiteId: number | undefined) =>
  websiteId === undefined ? sql`` : sql`and website_id = ${websiteId}::bigint`;

/** Yields the hosts whose registrable domain is among `changed_domains`, each once, in pages. */
export async function* readAffectedHosts(
  trx: Db,
  pageSize: number,
  websiteId: number | undefined,
): AsyncGenerator<readonly { host: string; registrableDomain: string }[]> {
  await sql`analyze changed_domains`.execute(trx);
  const query = sql<{ host: string; registrableDomain: string }>`
    select distinct host, registrable_domain as "registrableDomain" from website_hosts
    where registrable_domain in (select registrable_domain from changed_domains) ${ofWebsite(websiteId)}
  `;
  yield* fetchPages(trx, 'affected_hosts', query, pageSize);
}

/**
 * Adds verdicts about hosts. Each parameter has one line per host. The domain and the risk are empty if the host is not
 * listed, and `exempt` is `t` if an allow rule is the reason.
 */
export async function insertVerdicts(
  trx: Db,
  verdicts: { hosts: string; registrableDomains: string; domains: string; risks: string; exempt: string },
): Promise<void> {
  await sql`
    insert into verdicts (host, registrable_domain, domain, risk_level, is_exempt)
    select * from unnest(
      string_to_array(${verdicts.hosts}, E'\n'), string_to_array(${verdicts.registrableDomains}, E'\n'),
      string_to_array(${verdicts.domains}, E'\n', ''), string_to_array(${verdicts.risks}, E'\n', '')::smallint[],
      string_to_array(${verdicts.exempt}, E'\n')::boolean[]
    )
  `.execute(trx);
}

/**
 * Collects the hosts whose verdict differs from the stored one, and keeps their websites from being deleted until the
 * transaction ends. `isKept`: the name that decides now has decided about another host of the website all along, with
 * the same risk.
 */
export async function collectMovedHosts(trx: Db, websiteId: number | undefined): Promise<void> {
  await sql`analyze verdicts`.execute(trx);
  await sql`
    create temporary table moved_hosts on commit drop as
    with moved as materialized (
      select website_id, hosts.host, hosts.registrable_domain, backlinks, hosts.domain as old_domain,
        hosts.risk_level as old_level,
        verdicts.domain, verdicts.risk_level, is_exempt
      from verdicts
      join website_hosts as hosts on hosts.registrable_domain = verdicts.registrable_domain and hosts.host = verdicts.host
      where (hosts.domain, hosts.risk_level) is distinct from (verdicts.domain, verdicts.risk_level) ${ofWebsite(websiteId)}
    ),
    kept as (
      select distinct moved.website_id, moved.domain from moved
      join website_hosts as hosts using (registrable_domain, website_id, domain, risk_level)
    )
    select moved.*, kept.domain is not null as is_kept from moved left join kept using (website_id, domain)
  `.execute(trx);
  await sql`
    select from websites where id in (select website_id from moved_hosts) order by id for key share
  `.execute(trx);
}

/** Stores the verdicts about the moved hosts. */
export async function updateMovedHosts(trx: Db): Promise<void> {
  await sql`
    update website_hosts as hosts set domain = moved.domain, risk_level = moved.risk_level
    from moved_hosts as moved
    where hosts.registrable_domain = moved.registrable_domain and hosts.host = moved.host and hosts.website_id = moved.website_id
  `.execute(trx);
}

/**
 * Creates an alert for each website and domain with another risk than before. The domain is the one that decides now,
 * or the one that decided before if that has changed. There is no alert if another listed name with the same risk now
 * decides about the host, or if an allow rule exempts it from a domain that is still listed.
 * @returns the id of the run, and the number of alerts
 */
export async function insertAlerts(trx: Db, now: Date): Promise<{ runId: number; alerts: number }> {
  const { rows } = await sql<{ runId: number; alerts: number }>`
    with subject as (
      select *, case when is_kept then old_domain else coalesce(domain, old_domain) end as name from moved_hosts
    ),
    transition as (
      select website_id, name, sum(backlinks) as backlinks, bool_and(is_exempt) as is_exempt,
        coalesce(max(old_level) filter (where old_domain = name), min(coalesce(old_level, 0))) as before,
        coalesce(max(risk_level), 0) as after
      from subject where name is not null group by website_id, name
    ),
    event as (
      select *,
        case when before = 0 then 'listed' when after = 0 then 'delisted' when after > before then 'raised' else 'lowered' end as event
      from transition where before <> after and not (after = 0 and is_exempt)
    ),
    run as (select nextval('alert_runs') as id),
    added as (
      insert into alerts
        (run_id, website_id, domain, event, from_level, to_level, backlinks, source_count, copies, proof, created_at, mailed_at)
      select run.id, website_id, event.name, event, nullif(before, 0), nullif(after, 0), backlinks,
        domains.source_count, domains.copies, domains.proof, ${now}::timestamptz,
        case when coalesce(digest, 'off') = 'off' then ${now}::timestamptz end
      from run
      cross join event
      join websites on websites.id = website_id and user_id is not null
      left join watches using (website_id)
      left join domains on domains.name = event.name and after > 0
      where coalesce(enabled, true) and case event
        when 'listed' then coalesce(listed, true) when 'raised' then coalesce(raised, true)
        when 'lowered' then coalesce(lowered, true) else coalesce(delisted, true) end
      order by website_id, after desc, event.name
      returning run_id
    )
    select run.id as "runId", (select count(*) from added) as alerts from run
  `.execute(trx);
  return rows[0] ?? { runId: 0, alerts: 0 };
}

/** The alerts of a website that a run created. */
export interface RunAlerts {
  websiteId: number;
  userId: number;
  website: string;
  counts: EventCounts;
  /** The most serious ones. Levels are 1 to 4. */
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
      select *, row_number() over (partition by website_id order by ${worstFirst}) as rank,
        count(*) over (partition by website_id, event) as count
      from alerts where run_id = ${runId}
    )
    select website_id as "websiteId", user_id as "userId", websites.domain as website,
      jsonb_object_agg(event, count) as counts,
      jsonb_agg(
        jsonb_build_object('id', ranked.id, 'domain', ranked.domain, 'event', event, 'from', from_level, 'to', to_level,
          'backlinks', backlinks)
        order by rank
      ) filter (where rank <= ${max}) as alerts
    from ranked join websites on websites.id = website_id
    group by website_id, user_id, websites.domain
    order by website_id
  `.execute(trx);
  return rows;
}
