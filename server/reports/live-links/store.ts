import { sql } from 'kysely';
import { liveStates } from '#shared/reports/live-links.ts';
import type { Db } from '../../platform/db/database.ts';
import { toPublicMessage, toPublicStatus } from '../../platform/jobs/runs.ts';
import { cellSeparator, linkSeparator } from '../reports/link-blocks.ts';
import type { LiveFacts } from './judge-page.ts';

/** Returns the id of a report of the user, and the domain of its website. */
export function findReport(db: Db, userId: number, id: number) {
  return db
    .selectFrom('reports')
    .innerJoin('websites', 'websites.id', 'reports.website_id')
    .select(['reports.id', 'websites.domain'])
    .where('reports.id', '=', id)
    .where('websites.user_id', '=', userId)
    .executeTakeFirst();
}

/** @returns the new id, or undefined if a check of the report has not finished */
export async function insertCheck(
  trx: Db,
  reportId: number,
  { onlyUndecided, domains, message }: { onlyUndecided: boolean; domains: string[] | null; message: string },
): Promise<number | undefined> {
  const row = await trx
    .insertInto('link_checks')
    .values({ report_id: reportId, only_undecided: onlyUndecided, domains, message })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export async function findOpenCheck(db: Db, reportId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('link_checks')
    .select('id')
    .where('report_id', '=', reportId)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst();
  return row?.id;
}

/** Returns the newest check of a report. */
export function findLastCheck(db: Db, reportId: number) {
  return db
    .selectFrom('link_checks')
    .select([
      'id',
      toPublicStatus<'completed' | 'failed' | 'cancelled'>().as('status'),
      'progress',
      toPublicMessage().as('message'),
      'pages',
      'visited',
    ])
    .where('report_id', '=', reportId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Returns what a check must do; undefined if the report was deleted. */
export function findTask(db: Db, id: number) {
  return db
    .selectFrom('link_checks')
    .innerJoin('reports', 'reports.id', 'link_checks.report_id')
    .innerJoin('websites', 'websites.id', 'reports.website_id')
    .select([
      'link_checks.report_id as reportId',
      'only_undecided as onlyUndecided',
      'domains',
      'planned_position as plannedPosition',
      'websites.domain as site',
      'websites.id as websiteId',
    ])
    .where('link_checks.id', '=', id)
    .executeTakeFirst();
}

/** Returns the same, and locks the check until the transaction ends. */
export async function lockTask(trx: Db, id: number): Promise<CheckTask | undefined> {
  await trx.selectFrom('link_checks').select('id').where('id', '=', id).forUpdate().execute();
  return await findTask(trx, id);
}

export type CheckTask = NonNullable<Awaited<ReturnType<typeof findTask>>>;

/** Links that one step of the plan reads, unless a single domain has more. */
const linksPerStep = 20_000;
const domainsPerStep = 500;

/**
 * Returns the next domains of a check, and the positions of their links. A domain without links that the export calls
 * present is left out.
 */
export async function listNextDomains(
  db: Db,
  { reportId, websiteId, onlyUndecided, domains, plannedPosition }: CheckTask,
): Promise<{ position: number; from: number; to: number }[]> {
  const { rows } = await sql<{ position: number; from: number; to: number }>`
    with listed as (
      select position, domain, backlinks, sum(backlinks) over (order by position) as end
      from report_domains where report_id = ${reportId}
    ), wanted as (
      select position, listed.end - backlinks as from, listed.end as to, sum(backlinks) over (order by position) as links
      from listed
      where position > ${plannedPosition} and backlinks > 0
        and (${domains}::text[] is null or domain = any(${domains}::text[]))
        and (not ${onlyUndecided} or not exists (
          select from decisions where website_id = ${websiteId} and decisions.domain = listed.domain
        ))
      order by position limit ${domainsPerStep}
    )
    select position, wanted.from::integer, wanted.to::integer from wanted
    where links <= ${linksPerStep} or position = (select min(position) from wanted)
    order by position
  `.execute(db);
  return rows;
}

/**
 * Chooses which pages of some domains a check visits: up to `pagesPerHost` of each host, first those that were never
 * visited, then those whose visit is oldest. Links without an address of a page count as pages, but cannot be visited.
 */
export async function planPages(
  trx: Db,
  { checkId, reportId }: { checkId: number; reportId: number },
  domains: readonly { position: number; from: number; to: number }[],
  pagesPerHost: number,
): Promise<void> {
  const from = domains[0]?.from ?? 0;
  const to = domains.at(-1)?.to ?? 0;
  const positions = domains.map(({ position }) => position);
  await sql`
    with links as materialized (
      select row.link[1]::integer as position, row.link[2] as page, nullif(row.link[5], '') as target
      from report_links as block
      cross join lateral (
        select number, string_to_array(link, ${cellSeparator}) as link
        from string_to_table(block.links, ${linkSeparator}) with ordinality as rows (link, number)
      ) as row
      where block.report_id = ${reportId} and block.position < ${to}
        and block.position >= (
          select coalesce(max(position), 0) from report_links where report_id = ${reportId} and position <= ${from}
        )
        and block.position + row.number - 1 >= ${from} and block.position + row.number - 1 < ${to}
        and row.link[1]::integer = any(${positions}::integer[])
    ), pages as materialized (
      select position, page, sha256(convert_to(page, 'UTF8')) as page_hash,
        lower(substring(page from '^[Hh][Tt][Tt][Pp][Ss]?://([^/:?#]+)')) as host,
        coalesce((array_agg(distinct target) filter (where target is not null))[:20], '{}') as targets
      from links group by position, page
    ), counted as (
      insert into live_domains (report_id, position, pages)
      select ${reportId}, position, count(*) from pages group by position
      on conflict (report_id, position) do update set pages = excluded.pages
    ), ranked as (
      select pages.*, row_number() over (
        partition by pages.position, pages.host order by seen.checked_at nulls first, pages.page
      ) as number
      from pages
      left join live_pages as seen on seen.report_id = ${reportId} and seen.page_hash = pages.page_hash
      where pages.host is not null
    ), planned as (
      insert into live_pages (report_id, page_hash, position, host, page, targets, wanted_by)
      select ${reportId}, page_hash, position, host, page, targets, ${checkId} from ranked where number <= ${pagesPerHost}
      on conflict (report_id, page_hash) do update set wanted_by = excluded.wanted_by, targets = excluded.targets
      returning 1
    )
    update link_checks set pages = pages + (select count(*) from planned), planned_position = ${positions.at(-1)}
    where id = ${checkId}
  `.execute(trx);
}

/** Returns hosts whose pages a check has not visited yet, after a host. */
export async function listWantedHosts(db: Db, checkId: number, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('live_pages')
    .select('host')
    .distinct()
    .where('wanted_by', '=', checkId)
    .where('host', '>', after)
    .orderBy('host')
    .limit(limit)
    .execute();
  return rows.map(({ host }) => host);
}

export function listWantedPages(db: Db, checkId: number, host: string) {
  return db
    .selectFrom('live_pages')
    .select(['page', 'page_hash as pageHash', 'targets'])
    .where('wanted_by', '=', checkId)
    .where('host', '=', host)
    .orderBy('page')
    .execute();
}

/** Stores what was seen on a page, the state of its domain, and the progress. */
export async function savePage(
  trx: Db,
  { checkId, reportId, pageHash, now }: { checkId: number; reportId: number; pageHash: Buffer; now: Date },
  facts: LiveFacts,
): Promise<void> {
  const page = await trx
    .updateTable('live_pages')
    .set({
      wanted_by: null,
      state: liveStates.indexOf(facts.state),
      reason: facts.reason,
      http_status: facts.httpStatus,
      final_url: facts.finalUrl,
      rel: facts.rel,
      anchor: facts.anchor,
      sentence: facts.sentence,
      text_hash: facts.textHash,
      checked_at: now,
    })
    .where('report_id', '=', reportId)
    .where('page_hash', '=', pageHash)
    .where('wanted_by', '=', checkId)
    .returning('position')
    .executeTakeFirst();
  // The report was deleted, or another process has stored the page.
  if (!page) return;
  await sql`
    update live_domains set state = seen.state, checked_pages = seen.pages, checked_at = ${now}
    from (
      select min(state) as state, count(*) as pages from live_pages
      where report_id = ${reportId} and position = ${page.position} and state is not null
    ) as seen
    where report_id = ${reportId} and position = ${page.position}
  `.execute(trx);
  await trx.updateTable('link_checks').set({ visited: sql`visited + 1` }).where('id', '=', checkId).execute();
}

export async function getVisited(db: Db, checkId: number): Promise<{ pages: number; visited: number }> {
  return await db
    .selectFrom('link_checks')
    .select(['pages', 'visited'])
    .where('id', '=', checkId)
    .executeTakeFirstOrThrow();
}

/** Returns the visited pages of a domain of a report, best state first. */
export function listPages(db: Db, reportId: number, domain: string) {
  return db
    .selectFrom('live_pages')
    .innerJoin('report_domains as listed', (join) =>
      join.onRef('listed.report_id', '=', 'live_pages.report_id').onRef('listed.position', '=', 'live_pages.position'),
    )
    .select([
      'page',
      'state',
      'reason',
      'http_status as httpStatus',
      'final_url as finalUrl',
      'rel',
      'anchor',
      'sentence',
      'checked_at as checkedAt',
    ])
    .where('live_pages.report_id', '=', reportId)
    .where('listed.domain', '=', domain)
    .where('state', 'is not', null)
    .orderBy('state')
    .orderBy('page')
    .limit(200)
    .execute();
}
