import { type RawBuilder, sql } from 'kysely';
import type { DetectedFormat, IgnoredTable } from '#shared/reports/reports.ts';
import type { SignalResult } from '#shared/reports/signals.ts';
import type { Db } from '../../platform/db/database.ts';
import type { CoveringName, LinkFacts } from './link-blocks.ts';
import type { CountedFigures } from './tables.ts';

/** The figures of a report that do not depend on the blacklist. */
type CountedBacklinks = Omit<CountedFigures, 'toxicDomains' | 'riskCounts'>;

export interface NewReport {
  websiteId: number;
  fileName: string;
  formats: DetectedFormat[];
  ignoredTables: IgnoredTable[];
  lostBacklinks: number;
  /** Without lost links. */
  counts: CountedBacklinks;
  /** Null if no link is lost. */
  countsIncludingLost: CountedBacklinks | null;
  signals: SignalResult[];
  /** The names that were listed when they were looked up. */
  names: readonly CoveringName[];
}

/** Returns the id for a report, whose rows in other tables can be written first. */
export async function reserveReportId(db: Db): Promise<number> {
  const { id } = await db
    .selectNoFrom(sql<number>`nextval(pg_get_serial_sequence('reports', 'id'))`.as('id'))
    .executeTakeFirstOrThrow();
  return id;
}

/** Bytes of a row of links in addition to its columns: its header, and its entries in the page and the index. */
const linkRowBytes = 48;
/** The same for domains, whose name is in a second index. */
const domainRowBytes = 96;

/** SQL for what the links and the domains of a report take in the database. */
const storedBytes = (reportId: number) => sql`(
  (select coalesce(sum(pg_column_size(links) + ${linkRowBytes}::integer), 0) from report_links where report_id = ${reportId})
  + (select coalesce(sum(pg_column_size(report_domains.*) + ${domainRowBytes}::integer), 0) from report_domains where report_id = ${reportId})
)`;

/** Stores the bytes of an older report. */
export async function updateStoredBytes(db: Db, reportId: number): Promise<void> {
  await sql`update reports set stored_bytes = ${storedBytes(reportId)} where id = ${reportId}`.execute(db);
}

/**
 * Inserts the row of a report after its links and domains, whose risks and bytes it counts.
 * @param toxicDomains the number of distinct registrable domains that are listed
 */
export async function insertReport(
  db: Db,
  id: number,
  report: NewReport,
  { toxicDomains, toxicDomainsIncludingLost }: { toxicDomains: number; toxicDomainsIncludingLost: number },
): Promise<void> {
  const { counts, countsIncludingLost } = report;
  const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`;
  const countByRisk = (count: RawBuilder<number>) => sql`jsonb_build_object(
    'veryHigh', coalesce(sum(${count}) filter (where risk_level = 4), 0),
    'high', coalesce(sum(${count}) filter (where risk_level = 3), 0),
    'medium', coalesce(sum(${count}) filter (where risk_level = 2), 0),
    'low', coalesce(sum(${count}) filter (where risk_level = 1), 0)
  )`;
  const including = { ...countsIncludingLost, toxicDomains: toxicDomainsIncludingLost };
  await sql`
    insert into reports (id, website_id, file_name, formats, ignored_tables, lost_backlinks, total_backlinks,
      nofollow_backlinks, total_domains, unique_domains, toxic_domains, risk_counts, including_lost, signals,
      stored_bytes)
    overriding system value
    select ${id}, ${report.websiteId}, ${report.fileName}, ${json(report.formats)}, ${json(report.ignoredTables)},
      ${report.lostBacklinks}, ${counts.totalBacklinks}, ${counts.nofollowBacklinks}, ${counts.totalDomains},
      ${counts.uniqueDomains}, ${toxicDomains}, ${countByRisk(sql`backlinks`)},
      ${countsIncludingLost && sql`${json(including)} || jsonb_build_object('riskCounts', ${countByRisk(sql`backlinks + lost_backlinks`)})`},
      ${json(report.signals)}, ${storedBytes(id)}
    from report_domains where report_id = ${id}
  `.execute(db);
}

/**
 * Copies the current listing of each name that is still listed.
 * @returns these names in the order of their positions in the report
 */
export async function insertReportDomains(db: Db, reportId: number, names: readonly CoveringName[]): Promise<string[]> {
  // The lists can be long, so each travels as one text with one value per line.
  const toLines = (column: keyof CoveringName) => names.map((name) => name[column]).join('\n');
  const { rows } = await sql<{ names: string | null }>`
    with inserted as (
      insert into report_domains
        (report_id, position, domain, risk_level, source, source_count, copies, proof, listed_at, niche, backlinks,
          lost_backlinks, signals)
      select ${reportId}, row_number() over (order by domains.risk_level desc, domains.name) - 1,
        domains.name, domains.risk_level, source_text(domains.source), domains.source_count, domains.copies,
        domains.proof, domains.added_at, domains.niche, used.backlinks, used.lost_backlinks, used.signals
      from unnest(
        string_to_array(${toLines('name')}, E'\n'),
        string_to_array(${toLines('backlinks')}, E'\n')::integer[],
        string_to_array(${toLines('lostBacklinks')}, E'\n')::integer[],
        string_to_array(${toLines('signals')}, E'\n')::smallint[]
      ) as used (name, backlinks, lost_backlinks, signals)
      join domains on domains.name = used.name
      returning domain, position
    )
    select string_agg(domain, E'\n' order by position) as names from inserted
  `.execute(db);
  return rows[0]?.names?.split('\n') ?? [];
}

export const copyLinks = 'copy report_links (report_id, position, links) from stdin';

/** Stores the facts of a report's domains, in the order of their positions. */
export async function updateLinkFacts(db: Db, reportId: number, facts: readonly LinkFacts[]): Promise<void> {
  const known = [...facts.entries()].filter(
    ([, { firstSeen, nofollowBacklinks }]) => firstSeen !== undefined || nofollowBacklinks > 0,
  );
  if (known.length === 0) return;
  await sql`
    update report_domains set first_seen = facts.first_seen, nofollow_backlinks = facts.nofollow
    from unnest(
      string_to_array(${known.map(([position]) => position).join('\n')}, E'\n')::integer[],
      string_to_array(${known.map(([, { firstSeen }]) => firstSeen ?? '-').join('\n')}, E'\n', '-')::date[],
      string_to_array(${known.map(([, { nofollowBacklinks }]) => nofollowBacklinks).join('\n')}, E'\n')::integer[]
    ) as facts (position, first_seen, nofollow)
    where report_id = ${reportId} and report_domains.position = facts.position
  `.execute(db);
}
