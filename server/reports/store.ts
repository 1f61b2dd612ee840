import { sql } from 'kysely';
import type { RiskCounts } from '#shared/domains.ts';
import type { DetectedFormat, SkippedRows } from '#shared/reports.ts';
import type { Db } from '../db/database.ts';

const columns = [
  'reports.id',
  'profile_id as profileId',
  'reports.created_at as createdAt',
  'file_name as fileName',
  'format',
  'skipped',
  'total_backlinks as totalBacklinks',
  'total_domains as totalDomains',
  'unique_domains as uniqueDomains',
  'toxic_domains as toxicDomains',
  'risk_counts as riskCounts',
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
    .select([...columns, 'profiles.domain'])
    .where('reports.id', '=', id)
    .executeTakeFirst();
}

/** Returns the newest report of each of the user's profiles, with the number of reports of the profile. */
export function listLatestReports(db: Db, userId: number) {
  return ownReports(db, userId)
    .select([...columns, sql<number>`count(*) over (partition by profile_id)`.as('reportCount')])
    .distinctOn('profile_id')
    .orderBy('profile_id')
    .orderBy('reports.created_at', 'desc')
    .orderBy('reports.id', 'desc')
    .execute();
}

/** Returns the harmful backlinks from position `from` up to, but not including, `to`. */
export function listBacklinks(db: Db, userId: number, reportId: number, from: number, to: number) {
  return ownReports(db, userId)
    .innerJoin('report_backlinks as link', 'link.report_id', 'reports.id')
    .innerJoin('report_domains as listed', (join) =>
      join.onRef('listed.report_id', '=', 'link.report_id').onRef('listed.position', '=', 'link.domain_position'),
    )
    .select([
      'listed.domain',
      'link.referring_page as referringPage',
      'listed.risk_level as risk',
      'listed.source',
      'listed.source_count as sourceCount',
      'listed.listed_at as listedAt',
    ])
    .where('reports.id', '=', reportId)
    .where('link.position', '>=', from)
    .where('link.position', '<', to)
    .orderBy('link.position')
    .execute();
}

export type BacklinkRow = Awaited<ReturnType<typeof listBacklinks>>[number];

/** Returns up to `limit` names of listed domains, highest risk first, and their total number. */
export async function listDomainNames(
  db: Db,
  userId: number,
  reportId: number,
  risk: number | undefined,
  limit: number,
) {
  const rows = await ownReports(db, userId)
    .innerJoin('report_domains as listed', 'listed.report_id', 'reports.id')
    .select(['listed.domain', sql<number>`count(*) over ()`.as('total')])
    .where('reports.id', '=', reportId)
    .$if(risk !== undefined, (query) => query.where('listed.risk_level', '=', risk ?? 0))
    .orderBy('listed.position')
    .limit(limit)
    .execute();
  return { names: rows.map((row) => row.domain), total: rows[0]?.total ?? 0 };
}

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

function ownReports(db: Db, userId: number) {
  return db
    .selectFrom('reports')
    .innerJoin('profiles', 'profiles.id', 'reports.profile_id')
    .where('profiles.user_id', '=', userId);
}

export interface NewReport {
  profileId: number;
  fileName: string;
  format: DetectedFormat;
  skipped: SkippedRows[];
  totalBacklinks: number;
  totalDomains: number;
  uniqueDomains: number;
}

const noRisks: RiskCounts = { veryHigh: 0, high: 0, medium: 0, low: 0 };

export async function insertReport(db: Db, report: NewReport): Promise<number> {
  const { id } = await db
    .insertInto('reports')
    .values({
      profile_id: report.profileId,
      file_name: report.fileName,
      format: JSON.stringify(report.format),
      skipped: JSON.stringify(report.skipped),
      total_backlinks: report.totalBacklinks,
      total_domains: report.totalDomains,
      unique_domains: report.uniqueDomains,
      toxic_domains: 0,
      risk_counts: JSON.stringify(noRisks),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Copies the current listing of each name that is still listed. `names` has one name per line, `counts` its number of
 * backlinks.
 */
export async function insertReportDomains(db: Db, reportId: number, names: string, counts: string): Promise<void> {
  await sql`
    insert into report_domains (report_id, position, domain, risk_level, source, source_count, listed_at, backlinks)
    select ${reportId}, row_number() over (order by domains.risk_level desc, domains.name) - 1,
      domains.name, domains.risk_level, domains.source, domains.source_count, domains.added_at, used.backlinks
    from unnest(string_to_array(${names}, E'\n'), string_to_array(${counts}, E'\n')::integer[]) as used (name, backlinks)
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

export const copyBacklinks = 'copy report_backlinks (report_id, position, domain_position, referring_page) from stdin';

/** Stores the number of toxic domains and the number of harmful backlinks by risk level. */
export async function updateReportTotals(db: Db, reportId: number, toxicDomains: number): Promise<void> {
  await sql`
    with counted as (
      select jsonb_build_object(
          'veryHigh', coalesce(sum(backlinks) filter (where risk_level = 4), 0),
          'high', coalesce(sum(backlinks) filter (where risk_level = 3), 0),
          'medium', coalesce(sum(backlinks) filter (where risk_level = 2), 0),
          'low', coalesce(sum(backlinks) filter (where risk_level = 1), 0)
        ) as by_risk
      from report_domains where report_id = ${reportId}
    )
    update reports set toxic_domains = ${toxicDomains}, risk_counts = counted.by_risk
    from counted where id = ${reportId}
  `.execute(db);
}
