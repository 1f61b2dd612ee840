import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type RiskLevel, riskLevels } from '#shared/domains.ts';
import type { QueryOf } from '#shared/endpoint.ts';
import { type Pagination, toPagination } from '#shared/page.ts';
import {
  type HarmfulBacklink,
  type listHarmfulBacklinks as listHarmfulBacklinksEndpoint,
  maxReportDataEntries,
  type Report,
  type ReportSummary,
} from '#shared/reports.ts';
import { writeCsv } from '../csv/write-csv.ts';
import type { Db } from '../db/database.ts';
import { notFound } from '../http/errors.ts';
import {
  type BacklinkRow,
  copyBacklinks,
  findReport,
  insertReport,
  insertReportDomains,
  joinDomainNames,
  listBacklinks,
  listDomainNames,
  listLatestReports,
  listReports,
  type NewReport,
  type ReportRow,
  updateReportTotals,
} from './store.ts';

/** Returns the reports of one of the user's profiles, newest first. */
export async function listSummaries(db: Db, userId: number, profileId: number): Promise<ReportSummary[]> {
  return (await listReports(db, userId, profileId)).map(toSummary);
}

/** Returns a summary with the domain of its website. Throws 404 if the user has no such report. */
async function getSummary(db: Db, userId: number, id: number): Promise<ReportSummary & { domain: string }> {
  const row = await findReport(db, userId, id);
  if (!row) throw notFound('report', id);
  return { ...toSummary(row), domain: row.domain };
}

/**
 * Returns the summary and the first harmful backlinks, highest risk first. Throws 404 if the user has no such report.
 */
export async function getSummaryWithBacklinks(db: Db, userId: number, id: number) {
  const summary = await getSummary(db, userId, id);
  const rows = await listBacklinks(db, userId, id, 0, maxReportDataEntries);
  return { summary, backlinks: rows.map(toHarmfulBacklink) };
}

/** Returns a report with its first harmful backlinks as JSON text. Throws 404 if the user has no such report. */
export async function getReport(db: Db, userId: number, id: number): Promise<Report> {
  const { summary, backlinks } = await getSummaryWithBacklinks(db, userId, id);
  return { ...summary, reportData: JSON.stringify(backlinks) };
}

/**
 * Returns a page of harmful backlinks of one risk level or all, highest risk first. A page past the end is empty.
 * Throws 404 if the user has no such report.
 */
export async function listHarmfulBacklinks(
  db: Db,
  userId: number,
  id: number,
  { page, pageSize, riskLevel }: QueryOf<typeof listHarmfulBacklinksEndpoint>,
): Promise<{ backlinks: HarmfulBacklink[]; pagination: Pagination }> {
  const { from, to } = getPositionRange(await getSummary(db, userId, id), riskLevel);
  const first = from + page * pageSize;
  const rows = first < to ? await listBacklinks(db, userId, id, first, Math.min(first + pageSize, to)) : [];
  return { backlinks: rows.map(toHarmfulBacklink), pagination: toPagination(page, pageSize, to - from) };
}

/** Returns the newest report and the number of reports of each of the user's profiles, by profile id. */
export async function findLatestReports(db: Db, userId: number) {
  const rows = await listLatestReports(db, userId);
  return new Map(rows.map((row) => [row.profileId, { report: toSummary(row), count: row.reportCount }]));
}

/** Returns the range of positions of a level's backlinks, which are sorted by level, highest first. */
function getPositionRange({ riskCounts, harmfulBacklinks }: ReportSummary, level: RiskLevel | undefined) {
  if (!level) return { from: 0, to: harmfulBacklinks };
  const { low, medium, high, veryHigh } = riskCounts;
  const from = { 'very high': 0, high: veryHigh, medium: veryHigh + high, low: veryHigh + high + medium }[level];
  return { from, to: from + { 'very high': veryHigh, high, medium, low }[level] };
}

/** Converts a row to a report without its backlinks. */
function toSummary(row: ReportRow): ReportSummary {
  const { low, medium, high, veryHigh } = row.riskCounts;
  const toxicityPercentage = row.uniqueDomains === 0 ? 0 : (100 * row.toxicDomains) / row.uniqueDomains;
  return {
    id: row.id,
    profileId: row.profileId,
    dateCreated: row.createdAt.toISOString(),
    toxicityRating: toRating(toxicityPercentage),
    toxicityPercentage,
    totalBacklinks: row.totalBacklinks,
    totalDomains: row.totalDomains,
    uniqueDomains: row.uniqueDomains,
    toxicDomains: row.toxicDomains,
    harmfulBacklinks: low + medium + high + veryHigh,
    riskCounts: row.riskCounts,
    fileName: row.fileName,
    format: row.format,
    skipped: row.skipped,
  };
}

function toRating(percentage: number): RiskLevel {
  if (percentage >= 20) return 'very high';
  if (percentage >= 10) return 'high';
  return percentage >= 5 ? 'medium' : 'low';
}

const dateFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Converts a row for the API. `domain` is the listed name, which may be a parent of the page's host. */
function toHarmfulBacklink(row: BacklinkRow): HarmfulBacklink {
  const sources = row.sourceCount === 1 ? '1 source' : `${row.sourceCount} sources`;
  return {
    domain: row.domain,
    referringPage: row.referringPage,
    riskLevel: riskLevels[row.risk - 1] ?? 'low',
    reason: `Listed by ${sources} since ${dateFormat.format(row.listedAt)}`,
    source: row.source,
  };
}

/** The listed names that cover hosts of a file. */
interface ListedMatches {
  /** Names that were listed when they were looked up. */
  names: readonly string[];
  /** Number of backlinks for each of `names`. */
  counts: readonly number[];
  /**
   * Takes the names that are in the report, in the order of their positions. @returns the number of distinct
   * registrable domains that they cover, and their backlinks as lines for `copyBacklinks`
   */
  select(names: readonly string[]): { toxicDomains: number; lines(reportId: number): Iterable<string> };
}

/**
 * Creates a report in the caller's transaction, with a copy of the current listing of every name. Names that were
 * delisted since their lookup are left out.
 * @param copyFrom opens a COPY stream in the same transaction
 * @returns the report's id
 */
export async function createReport(
  trx: Db,
  copyFrom: (statement: string) => Writable,
  report: NewReport,
  { names, counts, select }: ListedMatches,
): Promise<number> {
  const id = await insertReport(trx, report);
  if (names.length === 0) return id;
  // The lists can be long, so each travels as one text with one value per line.
  await insertReportDomains(trx, id, names.join('\n'), counts.join('\n'));
  const storedNames = await joinDomainNames(trx, id);
  if (storedNames === '') return id;
  const { toxicDomains, lines } = select(storedNames.split('\n'));
  await updateReportTotals(trx, id, toxicDomains);
  await pipeline(lines(id), copyFrom(copyBacklinks));
  return id;
}

const header = ['Domain', 'Referring Page', 'Risk Level', 'Reason', 'Source'];
const rowsPerQuery = 5000;

/**
 * Returns all harmful backlinks of a report as a CSV stream with its file name. Throws 404 if the user has no such
 * report.
 */
export async function exportBacklinks(db: Db, userId: number, id: number) {
  const { domain, dateCreated, harmfulBacklinks } = await getSummary(db, userId, id);
  async function* rows() {
    for (let from = 0; from < harmfulBacklinks; from += rowsPerQuery) {
      for (const row of await listBacklinks(db, userId, id, from, from + rowsPerQuery)) {
        const { domain, referringPage, riskLevel, reason, source } = toHarmfulBacklink(row);
        yield [domain, referringPage, riskLevel, reason, source];
      }
    }
  }
  return { csv: writeCsv(header, rows()), fileName: `harmful-backlinks-${domain}-${dateCreated.slice(0, 10)}.csv` };
}

// Limits from Google Search Console Help, "Disavow links to your site". They include comments and blank lines.
const maxLines = 100_000;
const maxBytes = 2 * 1024 * 1024;
const commentLines = 4;
const commentBytes = 1024;

/**
 * Returns the harmful domains of a report as a file for Google's disavow tool. Throws 404 if the user has no such
 * report.
 */
export async function buildDisavowFile(db: Db, userId: number, id: number, riskLevel?: RiskLevel) {
  const { domain: site, dateCreated } = await getSummary(db, userId, id);
  const risk = riskLevel && riskLevels.indexOf(riskLevel) + 1;
  const { names, total } = await listDomainNames(db, userId, id, risk, maxLines - commentLines);
  const day = dateCreated.slice(0, 10);
  return { text: buildDisavowText({ site, day, names, total }), fileName: `disavow-${site}-${day}.txt` };
}

/**
 * Builds the text of a disavow file: ASCII, comments, then one `domain:` line per name, sorted, with LF. `names` must
 * have the highest risk first, so that the names beyond the limits are the least harmful. `total` also counts names
 * that are not in `names`.
 */
export function buildDisavowText(list: { site: string; day: string; names: readonly string[]; total: number }): string {
  const lines: string[] = [];
  let bytes = commentBytes;
  for (const name of list.names) {
    const line = `domain:${name}\n`;
    bytes += line.length;
    if (bytes > maxBytes || lines.length + commentLines >= maxLines) break;
    lines.push(line);
  }
  const leftOut = list.total - lines.length;
  const omission = leftOut === 1 ? 'the domain' : `the ${leftOut.toLocaleString('en-US')} domains`;
  const comments = [
    `# Domains with harmful backlinks to ${list.site}`,
    `# Linksieve report of ${list.day}`,
    '# Uploading this file replaces your current disavow list: copy the lines of your current list into this file first.',
    ...(leftOut > 0
      ? [`# Disavow files have a size limit. This file leaves out ${omission} with the lowest risk.`]
      : []),
  ];
  return `${comments.join('\n')}\n${lines.sort().join('')}`;
}
