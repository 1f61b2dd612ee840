import { sql } from 'kysely';
import type { EventCounts } from '#shared/reports/alert-texts.ts';
import type { AlertEvent } from '#shared/reports/watch.ts';
import type { Db } from '../../platform/db/database.ts';
import { worstFirst } from '../alerts/queries.ts';
import { blockSeparator, blocksPerPage, fetchPages } from './store-hosts.ts';

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

/** Returns the number of names of changes. */
export async function countNames(trx: Db, ids: readonly number[]): Promise<number> {
  const { rows } = await sql<{ names: number }>`
    select coalesce(sum(cardinality(names)), 0) as names from domain_changes where id = any(${ids}::bigint[])
  `.execute(trx);
  return rows[0]?.names ?? 0;
}

/** Yields the names of changes in pages. */
export const readChangedNames = (trx: Db, ids: readonly number[], pageSize: number) =>
  fetchPages(
    trx,
    'changed_names',
    sql<{ name: string }>`select name from domain_changes, unnest(names) as name where id = any(${ids}::bigint[])`,
    pageSize,
  );

/** A block of hosts of any website. */
export interface WebsiteBlock {
  websiteId: number;
  bucket: number;
  body: string;
}

/** Yields blocks in pages: of these buckets, or of all, and of one website, or of all. */
export function readBlocks(
  trx: Db,
  { buckets, websiteId }: { buckets?: readonly number[] | undefined; websiteId?: number | undefined },
): AsyncGenerator<WebsiteBlock[]> {
  const query = sql<WebsiteBlock>`
    select website_id as "websiteId", bucket, body from website_host_blocks
    where true ${buckets ? sql`and bucket = any(${buckets}::integer[])` : sql``}
      ${websiteId === undefined ? sql`` : sql`and website_id = ${websiteId}::bigint`}
  `;
  return fetchPages(trx, 'host_blocks', query, blocksPerPage);
}

/** A host whose verdict is not the stored one. */
export interface MovedHost {
  websiteId: number;
  backlinks: number;
  oldDomain: string | undefined;
  oldLevel: number | undefined;
  domain: string | undefined;
  level: number | undefined;
  isExempt: boolean;
  /** The name that decides now has decided about another host of the website all along, with the same risk. */
  isKept: boolean;
}

/** Creates the temporary table of a comparison. */
export async function createMovedHosts(trx: Db): Promise<void> {
  await sql`
    create temporary table moved_hosts (
      website_id bigint, backlinks integer, old_domain text collate "C", old_level smallint, domain text collate "C",
      risk_level smallint, is_exempt boolean, is_kept boolean
    ) on commit drop
  `.execute(trx);
}

export async function insertMovedHosts(trx: Db, hosts: readonly MovedHost[]): Promise<void> {
  const list = (select: (host: MovedHost) => string | number | undefined) =>
    hosts.map((host) => select(host) ?? '').join('\n');
  await sql`
    insert into moved_hosts
    select * from unnest(
      ${hosts.map(({ websiteId }) => websiteId)}::bigint[], ${hosts.map(({ backlinks }) => backlinks)}::integer[],
      string_to_array(${list(({ oldDomain }) => oldDomain)}, E'\n', ''),
      string_to_array(${list(({ oldLevel }) => oldLevel)}, E'\n', '')::smallint[],
      string_to_array(${list(({ domain }) => domain)}, E'\n', ''),
      string_to_array(${list(({ level }) => level)}, E'\n', '')::smallint[],
      ${hosts.map(({ isExempt }) => isExempt)}::boolean[], ${hosts.map(({ isKept }) => isKept)}::boolean[]
    )
  `.execute(trx);
}

/** Replaces the bodies of blocks. Their hosts stay the same. */
export async function updateBodies(trx: Db, blocks: readonly WebsiteBlock[]): Promise<void> {
  await sql`
    update website_host_blocks as block set body = changed.body
    from unnest(
      ${blocks.map(({ websiteId }) => websiteId)}::bigint[], ${blocks.map(({ bucket }) => bucket)}::integer[],
      string_to_array(${blocks.map(({ body }) => body).join(blockSeparator)}, ${blockSeparator})
    ) as changed (website_id, bucket, body)
    where block.website_id = changed.website_id and block.bucket = changed.bucket
  `.execute(trx);
}

/** Keeps the websites of the moved hosts from being deleted until the transaction ends. */
export async function lockMovedWebsites(trx: Db): Promise<void> {
  await sql`
    select from websites where id in (select website_id from moved_hosts) order by id for key share
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
