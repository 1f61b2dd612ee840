import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { RiskCounts } from '#shared/domains.ts';
import type { DetectedFormat, IgnoredTable } from '#shared/reports.ts';
import type { SignalResult } from '#shared/signals.ts';
import type { Db } from '../db/database.ts';
import type { CountedFigures, Tables } from '../db/tables.ts';

const columns = [
  'reports.id',
  'profile_id as profileId',
  'reports.created_at as createdAt',
  'file_name as fileName',
  'formats',
  'ignored_tables as ignoredTables',
  'total_backlinks as totalBacklinks',
  'nofollow_backlinks as nofollowBacklinks',
  'lost_backlinks as lostBacklinks',
  'total_domains as totalDomains',
  'unique_domains as uniqueDomains',
  'toxic_domains as toxicDomains',
  'risk_counts as riskCounts',
  'including_lost as includingLost',
] as const;

export type ReportRow = Awaited<ReturnType<typeof listReports>>[number];

/** Returns the reports of one of the user's profiles, newest first. */
export function listReports(db: Db, userId: number, profileId: number) {
  return ownReports(db, userId)
    .select(columns)
    .where('profile_id', '=', profileId)
    .orderBy('reports.created_at', 'desc')
    .orderBy('reports.id', 'desc')
    .execute();
}

export function findReport(db: Db, userId: number, id: number) {
  return ownReports(db, userId)
    .select([...columns, 'profiles.domain', 'signals'])
    .where('reports.id', '=', id)
    .executeTakeFirst();
}

/**
 * Returns the newest report of each of the user's profiles, or of one, with the number of reports of the profile and the
 * figures of the last `trendLength` ones, newest first. Reads each profile by itself, because windows over all reports
 * take five times as long.
 */
export function listLatestReports(db: Db, userId: number, trendLength: number, profileId?: number) {
  return db
    .selectFrom('profiles')
    .innerJoinLateral(
      (eb) => newestReports(eb, 1).selectAll('reports').as('reports'),
      (join) => join.onTrue(),
    )
    .where('profiles.user_id', '=', userId)
    .$if(profileId !== undefined, (query) => query.where('profiles.id', '=', profileId ?? 0))
    .select((eb) => [
      ...columns,
      sql<number>`(select count(*) from reports where reports.profile_id = profiles.id)`.as('reportCount'),
      sql<{ date: string; toxicDomains: number; uniqueDomains: number }[]>`(
        select jsonb_agg(jsonb_build_object(
          'date', created_at, 'toxicDomains', toxic_domains, 'uniqueDomains', unique_domains
        ))
        from (${newestReports(eb, trendLength).select(['created_at', 'toxic_domains', 'unique_domains'])}) as last
      )`.as('trend'),
    ])
    .execute();
}

/** The newest reports of the profile of the outer query, newest first. */
function newestReports(eb: ExpressionBuilder<Tables, 'profiles'>, count: number) {
  return eb
    .selectFrom('reports')
    .whereRef('reports.profile_id', '=', 'profiles.id')
    .orderBy('reports.created_at', 'desc')
    .orderBy('reports.id', 'desc')
    .limit(sql.lit(count));
}

/** What the sources of a listed domain prove. `confidence` is 1 to 3. */
export const evidence = [
  'listed.copies',
  sql<number>`domain_confidence(listed.source_count, listed.copies, listed.proof)`.as('confidence'),
] as const;

/** Returns the harmful backlinks from position `from` up to, but not including, `to`. */
export function listBacklinks(db: Db, userId: number, reportId: number, from: number, to: number) {
  return ownReports(db, userId)
    .innerJoin('report_backlinks as link', 'link.report_id', 'reports.id')
    .innerJoin('report_domains as listed', (join) =>
      join.onRef('listed.report_id', '=', 'link.report_id').onRef('listed.position', '=', 'link.domain_position'),
    )
    .leftJoin('decisions', (join) =>
      join.onRef('decisions.profile_id', '=', 'reports.profile_id').onRef('decisions.domain', '=', 'listed.domain'),
    )
    .select([
      'listed.domain',
      'link.referring_page as referringPage',
      'listed.risk_level as risk',
      'listed.source',
      'listed.source_count as sourceCount',
      ...evidence,
      'listed.listed_at as listedAt',
      'link.position',
      'link.nofollow',
      'decisions.decision',
      'link.anchor',
      'link.target_page as targetPage',
      sql<string | null>`link.first_seen::text`.as('firstSeen'),
    ])
    .where('reports.id', '=', reportId)
    .where('link.position', '>=', from)
    .where('link.position', '<', to)
    .orderBy('link.position')
    .execute();
}

/** Returns the numbers of a listed domain's links, and those of all domains before it; undefined if it is not listed. */
export function findDomainLinks(db: Db, userId: number, reportId: number, domain: string) {
  const before = (links: RawBuilder<number>) => sql<number>`(
    select coalesce(sum(${links}), 0) from report_domains
    where report_id = listed.report_id and position < listed.position
  )`;
  return ownReports(db, userId)
    .innerJoin('report_domains as listed', 'listed.report_id', 'reports.id')
    .select([
      'listed.backlinks',
      'listed.lost_backlinks as lostBacklinks',
      before(sql`backlinks`).as('before'),
      before(sql`lost_backlinks`).as('lostBefore'),
    ])
    .where('reports.id', '=', reportId)
    .where('listed.domain', '=', domain)
    .executeTakeFirst();
}

/** Returns the ids of the names that are listed now, by name. */
export async function findDomainIds(db: Db, names: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('domains')
    .select(['id', 'name'])
    .where(sql<boolean>`name = any(${names}::text[])`)
    .execute();
  return new Map(rows.map(({ id, name }) => [name, id]));
}

export type BacklinkRow = Awaited<ReturnType<typeof listBacklinks>>[number];

/** @returns whether the user had such a report */
export async function deleteReport(db: Db, userId: number, id: number): Promise<boolean> {
  const result = await db
    .deleteFrom('reports')
    .using('profiles')
    .whereRef('profiles.id', '=', 'reports.profile_id')
    .where('profiles.user_id', '=', userId)
    .where('reports.id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** The reports of the user's profiles, joined with these. */
export function ownReports(db: Db, userId: number) {
  return db
    .selectFrom('reports')
    .innerJoin('profiles', 'profiles.id', 'reports.profile_id')
    .where('profiles.user_id', '=', userId);
}

/** The figures of a report that are known before its listed domains. */
type CountedBacklinks = Omit<CountedFigures, 'toxicDomains' | 'riskCounts'>;

export interface NewReport {
  profileId: number;
  fileName: string;
  formats: DetectedFormat[];
  ignoredTables: IgnoredTable[];
  lostBacklinks: number;
  /** Without lost links. */
  counts: CountedBacklinks;
  /** Null if no link is lost. */
  countsIncludingLost: CountedBacklinks | null;
  signals: SignalResult[];
}

const noRisks: RiskCounts = { veryHigh: 0, high: 0, medium: 0, low: 0 };

export async function insertReport(db: Db, report: NewReport): Promise<number> {
  const { counts, countsIncludingLost } = report;
  const including = countsIncludingLost && { ...countsIncludingLost, toxicDomains: 0, riskCounts: noRisks };
  const { id } = await db
    .insertInto('reports')
    .values({
      profile_id: report.profileId,
      file_name: report.fileName,
      formats: JSON.stringify(report.formats),
      ignored_tables: JSON.stringify(report.ignoredTables),
      lost_backlinks: report.lostBacklinks,
      total_backlinks: counts.totalBacklinks,
      nofollow_backlinks: counts.nofollowBacklinks,
      total_domains: counts.totalDomains,
      unique_domains: counts.uniqueDomains,
      toxic_domains: 0,
      risk_counts: JSON.stringify(noRisks),
      including_lost: including && JSON.stringify(including),
      signals: JSON.stringify(report.signals),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Copies the current listing of each name that is still listed. Each parameter has one line per name: the name, its
 * number of backlinks that are not lost, and its number of lost ones.
 */
export async function insertReportDomains(
  db: Db,
  reportId: number,
  { names, backlinks, lostBacklinks }: { names: string; backlinks: string; lostBacklinks: string },
): Promise<void> {
  await sql`
    insert into report_domains
      (report_id, position, domain, risk_level, source, source_count, copies, proof, listed_at, niche, backlinks,
        lost_backlinks)
    select ${reportId}, row_number() over (order by domains.risk_level desc, domains.name) - 1,
      domains.name, domains.risk_level, domains.source, domains.source_count, domains.copies, domains.proof,
      domains.added_at, domains.niche, used.backlinks, used.lost
    from unnest(
      string_to_array(${names}, E'\n'),
      string_to_array(${backlinks}, E'\n')::integer[],
      string_to_array(${lostBacklinks}, E'\n')::integer[]
    ) as used (name, backlinks, lost)
    join domains on domains.name = used.name
  `.execute(db);
}

/** Returns the names of the report's listed domains in the order of their positions, one per line. */
export async function joinDomainNames(db: Db, reportId: number): Promise<string> {
  const { names } = await db
    .selectFrom('report_domains')
    .select(sql<string | null>`string_agg(domain, E'\n' order by position)`.as('names'))
    .where('report_id', '=', reportId)
    .executeTakeFirstOrThrow();
  return names ?? '';
}

export const copyBacklinks = `copy report_backlinks
  (report_id, position, domain_position, referring_page, nofollow, anchor, target_page, first_seen) from stdin`;

/**
 * Stores what the links of listed domains have in common. Each parameter has one line per domain: its position, the
 * earliest date of its links (`-` without one), its number of nofollow links that are not lost, and the bits of its
 * signals.
 */
export async function updateLinkFacts(
  db: Db,
  reportId: number,
  facts: { positions: string; firstSeen: string; nofollowBacklinks: string; signals: string },
): Promise<void> {
  await sql`
    update report_domains set first_seen = facts.first_seen, nofollow_backlinks = facts.nofollow, signals = facts.signals
    from unnest(
      string_to_array(${facts.positions}, E'\n')::integer[],
      string_to_array(${facts.firstSeen}, E'\n', '-')::date[],
      string_to_array(${facts.nofollowBacklinks}, E'\n')::integer[],
      string_to_array(${facts.signals}, E'\n')::smallint[]
    ) as facts (position, first_seen, nofollow, signals)
    where report_id = ${reportId} and report_domains.position = facts.position
  `.execute(db);
}

/** Stores the number of toxic domains and the number of harmful backlinks by risk level, without and with lost links. */
export async function updateReportTotals(
  db: Db,
  reportId: number,
  { toxicDomains, toxicDomainsIncludingLost }: { toxicDomains: number; toxicDomainsIncludingLost: number },
): Promise<void> {
  const countByRisk = (count: RawBuilder<number>) => sql`(
    select jsonb_build_object(
      'veryHigh', coalesce(sum(${count}) filter (where risk_level = 4), 0),
      'high', coalesce(sum(${count}) filter (where risk_level = 3), 0),
      'medium', coalesce(sum(${count}) filter (where risk_level = 2), 0),
      'low', coalesce(sum(${count}) filter (where risk_level = 1), 0)
    )
    from report_domains where report_id = ${reportId}
  )`;
  await sql`
    update reports set
      toxic_domains = ${toxicDomains},
      risk_counts = ${countByRisk(sql`backlinks`)},
      including_lost = including_lost || jsonb_build_object(
        'toxicDomains', ${toxicDomainsIncludingLost}::integer,
        'riskCounts', ${countByRisk(sql`backlinks + lost_backlinks`)}
      )
    where id = ${reportId}
  `.execute(db);
}
