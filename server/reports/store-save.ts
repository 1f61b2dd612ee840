import { sql } from 'kysely';
import type { RiskCounts } from '#shared/domains.ts';
import type { RecognisedFormat, SkippedRows } from '#shared/reports.ts';
import type { Db } from '../db/database.ts';

export interface NewReport {
  profileId: number;
  fileName: string;
  format: RecognisedFormat;
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

/** Keeps what the blacklist says now of each name, but for names no longer listed. `names` one a line, `counts` alike. */
export async function insertReportDomains(db: Db, reportId: number, names: string, counts: string): Promise<void> {
  await sql`
    insert into report_domains (report_id, position, domain, risk_level, source, source_count, listed_at, backlinks)
    select ${reportId}, row_number() over (order by domains.risk_level desc, domains.name) - 1,
      domains.name, domains.risk_level, domains.source, domains.source_count, domains.added_at, used.backlinks
    from unnest(string_to_array(${names}, E'\n'), string_to_array(${counts}, E'\n')::integer[]) as used (name, backlinks)
    join domains on domains.name = used.name
  `.execute(db);
}

/** Names of the report's listed domains in the order of their positions, one a line. */
export async function joinDomainNames(db: Db, reportId: number): Promise<string> {
  const { names } = await db
    .selectFrom('report_domains')
    .select(sql<string | null>`string_agg(domain, E'\n' order by position)`.as('names'))
    .where('report_id', '=', reportId)
    .executeTakeFirstOrThrow();
  return names ?? '';
}

export const copyBacklinks = 'copy report_backlinks (report_id, position, domain_position, referring_page) from stdin';

/** Fills in what is known once the listed domains are: toxic domains, and harmful backlinks by risk. */
export async function finishReport(db: Db, reportId: number, toxicDomains: number): Promise<void> {
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
