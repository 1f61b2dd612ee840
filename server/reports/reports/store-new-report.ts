import { type RawBuilder, sql } from 'kysely';
import type { RiskCounts } from '#shared/blacklist/domains.ts';
import type { DetectedFormat, IgnoredTable } from '#shared/reports/reports.ts';
import type { SignalResult } from '#shared/reports/signals.ts';
import type { Db } from '../../platform/db/database.ts';
import type { CountedFigures } from './tables.ts';

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

/** Returns the id for a report, whose rows in other tables can be written first. */
export async function reserveReportId(db: Db): Promise<number> {
  const { id } = await db
    .selectNoFrom(sql<number>`nextval(pg_get_serial_sequence('reports', 'id'))`.as('id'))
    .executeTakeFirstOrThrow();
  return id;
}

export async function insertReport(db: Db, id: number, report: NewReport): Promise<void> {
  const { counts, countsIncludingLost } = report;
  const including = countsIncludingLost && { ...countsIncludingLost, toxicDomains: 0, riskCounts: noRisks };
  const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`;
  await sql`
    insert into reports (id, profile_id, file_name, formats, ignored_tables, lost_backlinks, total_backlinks,
      nofollow_backlinks, total_domains, unique_domains, toxic_domains, risk_counts, including_lost, signals)
    overriding system value
    values (${id}, ${report.profileId}, ${report.fileName}, ${json(report.formats)}, ${json(report.ignoredTables)},
      ${report.lostBacklinks}, ${counts.totalBacklinks}, ${counts.nofollowBacklinks}, ${counts.totalDomains},
      ${counts.uniqueDomains}, 0, ${json(noRisks)}, ${including && json(including)}, ${json(report.signals)})
  `.execute(db);
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
      domains.name, domains.risk_level, source_text(domains.source), domains.source_count, domains.copies, domains.proof,
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

export const copyLinks = 'copy report_links (report_id, position, links) from stdin';

/** Bytes of a row in addition to its columns: its header, and its entries in the page and the index. */
const rowBytes = 48;
/** The same for domains, whose name is in a second index. */
const domainRowBytes = 96;

/** Stores what the links and the domains of a report take in the database. */
export async function updateStoredBytes(db: Db, reportId: number): Promise<void> {
  await sql`
    update reports set stored_bytes =
      (select coalesce(sum(pg_column_size(links) + ${rowBytes}::integer), 0) from report_links where report_id = ${reportId})
      + (select coalesce(sum(pg_column_size(report_domains.*) + ${domainRowBytes}::integer), 0) from report_domains where report_id = ${reportId})
    where id = ${reportId}
  `.execute(db);
}

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

/**
 * Stores the number of toxic domains and the number of harmful backlinks by risk level, without and with lost links.
 */
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
