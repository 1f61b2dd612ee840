import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Confidence, confidences, type RiskCounts, type RiskLevel, riskLevels } from '#shared/domains.ts';
import type { QueryOf } from '#shared/endpoint.ts';
import { type Pagination, toPagination } from '#shared/page.ts';
import { maxTrendPoints, type TrendPoint } from '#shared/profiles.ts';
import {
  type HarmfulBacklink,
  type ListedBacklink,
  type listHarmfulBacklinks as listHarmfulBacklinksEndpoint,
  maxReportDataEntries,
  minDomainsForPercentage,
  type Report,
  type ReportFigures,
  type ReportSummary,
} from '#shared/reports.ts';
import { mergeSkipped } from '../backlink-files/backlink-files.ts';
import { writeCsv } from '../csv/write-csv.ts';
import type { Db } from '../db/database.ts';
import type { CountedFigures } from '../db/tables.ts';
import { notFound } from '../http/errors.ts';
import {
  type BacklinkRow,
  copyBacklinks,
  findDomainIds,
  findDomainLinks,
  findReport,
  insertReport,
  insertReportDomains,
  joinDomainNames,
  listBacklinks,
  listLatestReports,
  listReports,
  type NewReport,
  type ReportRow,
  updateLinkFacts,
  updateReportTotals,
} from './store.ts';
import { countReviews } from './store-domains.ts';

/** Returns the reports of one of the user's profiles, newest first. */
export async function listSummaries(db: Db, userId: number, profileId: number): Promise<ReportSummary[]> {
  return (await listReports(db, userId, profileId)).map(toSummary);
}

/** Returns a report without its backlinks. Throws 404 if the user has no such report. */
export async function getSummary(db: Db, userId: number, id: number): Promise<Omit<Report, 'reportData'>> {
  const row = await findReport(db, userId, id);
  if (!row) throw notFound('report', id);
  return { ...toSummary(row), domain: row.domain, signals: row.signals ?? [] };
}

/**
 * Returns the summary and the first harmful backlinks, highest risk first. Throws 404 if the user has no such report.
 */
export async function getSummaryWithBacklinks(db: Db, userId: number, id: number) {
  const summary = await getSummary(db, userId, id);
  const range = { offset: 0, limit: maxReportDataEntries };
  const backlinks = await readBacklinks(db, userId, summary, getPositionRanges(summary, false, undefined), range);
  return { summary, backlinks };
}

/** Returns a report with its first harmful backlinks as JSON text. Throws 404 if the user has no such report. */
export async function getReport(db: Db, userId: number, id: number): Promise<Report> {
  const { summary, backlinks } = await getSummaryWithBacklinks(db, userId, id);
  return { ...summary, reportData: JSON.stringify(backlinks) };
}

/**
 * Returns a page of harmful backlinks of one risk level or all, highest risk first. Lost links, if they are included,
 * come last. A page past the end is empty. Throws 404 if the user has no such report.
 */
export async function listHarmfulBacklinks(
  db: Db,
  userId: number,
  id: number,
  { page, pageSize, riskLevel, domain, lost }: QueryOf<typeof listHarmfulBacklinksEndpoint>,
): Promise<{ backlinks: ListedBacklink[]; pagination: Pagination }> {
  const summary = await getSummary(db, userId, id);
  const withLost = lost === 'include';
  const ranges =
    domain === undefined
      ? getPositionRanges(summary, withLost, riskLevel)
      : await getDomainRanges(db, userId, summary, withLost, domain);
  const total = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  const backlinks = await readBacklinks(db, userId, summary, ranges, { offset: page * pageSize, limit: pageSize });
  const ids = await findDomainIds(db, [...new Set(backlinks.map(({ domain }) => domain))]);
  return {
    backlinks: backlinks.map((backlink) => ({ ...backlink, domainId: ids.get(backlink.domain) ?? null })),
    pagination: toPagination(page, pageSize, total),
  };
}

async function readBacklinks(
  db: Db,
  userId: number,
  summary: ReportSummary,
  ranges: readonly PositionRange[],
  { offset, limit }: { offset: number; limit: number },
): Promise<HarmfulBacklink[]> {
  const backlinks: HarmfulBacklink[] = [];
  let skip = offset;
  for (const { from, to } of ranges) {
    const first = from + skip;
    const end = Math.min(to, first + limit - backlinks.length);
    skip = Math.max(0, skip - (to - from));
    if (first >= end) continue;
    const rows = await listBacklinks(db, userId, summary.id, first, end);
    backlinks.push(...rows.map((row) => toHarmfulBacklink(row, summary)));
  }
  return backlinks;
}

/** Converts risk levels to their numbers in the database, 1 to 4. */
export const toRisks = (levels: readonly RiskLevel[]) => levels.map((level) => riskLevels.indexOf(level) + 1);

export const toRiskLevel = (risk: number): RiskLevel => riskLevels[risk - 1] ?? 'low';
export const toConfidence = (confidence: number): Confidence => confidences[confidence - 1] ?? 'reported';

/**
 * Returns the newest report, the number of reports, the trend and the review of each of the user's profiles, or of one,
 * by profile id.
 */
export async function findLatestReports(db: Db, userId: number, profileId?: number) {
  const [rows, reviews] = await Promise.all([
    listLatestReports(db, userId, maxTrendPoints, profileId),
    countReviews(db, userId, profileId),
  ]);
  const reviewsById = new Map(reviews.map(({ reportId, ...review }) => [reportId, review]));
  return new Map(
    rows.map((row) => {
      const trend = row.trend.map(toTrendPoint).toReversed();
      // A report that was stored between the two queries has no review yet.
      const review = reviewsById.get(row.id) ?? noReview;
      return [row.profileId, { report: toSummary(row), count: row.reportCount, trend, ...review }] as const;
    }),
  );
}

const noReview = { listedDomains: 0, openReviews: 0, newToxicDomains: null };

function toTrendPoint(point: { date: string; toxicDomains: number; uniqueDomains: number }): TrendPoint {
  return {
    ...point,
    date: new Date(point.date).toISOString(),
    toxicityPercentage: point.uniqueDomains < minDomainsForPercentage ? null : toPercentage(point),
  };
}

/** Positions of backlinks: `from` up to, but not including, `to`. */
interface PositionRange {
  from: number;
  to: number;
}

/** Returns the ranges of positions of a listed domain's backlinks. They are empty if the report does not contain it. */
async function getDomainRanges(
  db: Db,
  userId: number,
  { id, harmfulBacklinks }: ReportSummary,
  withLost: boolean,
  domain: string,
): Promise<PositionRange[]> {
  const found = await findDomainLinks(db, userId, id, domain);
  if (!found) return [];
  const { before, backlinks, lostBefore, lostBacklinks } = found;
  const lostFrom = harmfulBacklinks + lostBefore;
  const ranges = [{ from: before, to: before + backlinks }];
  return withLost ? [...ranges, { from: lostFrom, to: lostFrom + lostBacklinks }] : ranges;
}

/**
 * Returns the ranges of positions of a level's backlinks, or of all. Links that are not lost come first, then the lost
 * ones, both sorted by level, highest first.
 */
function getPositionRanges(summary: ReportSummary, withLost: boolean, level: RiskLevel | undefined): PositionRange[] {
  const { riskCounts, harmfulBacklinks, includingLost } = summary;
  const ranges = [getLevelRange(riskCounts, 0, level)];
  if (!withLost || !includingLost) return ranges;
  const lostCounts = {
    low: includingLost.riskCounts.low - riskCounts.low,
    medium: includingLost.riskCounts.medium - riskCounts.medium,
    high: includingLost.riskCounts.high - riskCounts.high,
    veryHigh: includingLost.riskCounts.veryHigh - riskCounts.veryHigh,
  };
  return [...ranges, getLevelRange(lostCounts, harmfulBacklinks, level)];
}

function getLevelRange({ low, medium, high, veryHigh }: RiskCounts, start: number, level: RiskLevel | undefined) {
  if (!level) return { from: start, to: start + veryHigh + high + medium + low };
  const before = { 'very high': 0, high: veryHigh, medium: veryHigh + high, low: veryHigh + high + medium }[level];
  const count = { 'very high': veryHigh, high, medium, low }[level];
  return { from: start + before, to: start + before + count };
}

/** Converts a row to a report without its backlinks. */
function toSummary(row: ReportRow): ReportSummary {
  const { id, profileId, createdAt, lostBacklinks, fileName, formats, ignoredTables, includingLost } = row;
  return {
    id,
    profileId,
    dateCreated: createdAt.toISOString(),
    ...toFigures(row),
    lostBacklinks,
    includingLost: includingLost && toFigures(includingLost),
    fileName,
    formats,
    ignoredTables,
    skipped: mergeSkipped(formats),
  };
}

function toFigures(counted: CountedFigures): ReportFigures {
  const { totalBacklinks, nofollowBacklinks, totalDomains, uniqueDomains, toxicDomains, riskCounts } = counted;
  const toxicityPercentage = toPercentage(counted);
  return {
    toxicityRating: toRating(toxicityPercentage),
    toxicityPercentage,
    totalBacklinks,
    nofollowBacklinks,
    totalDomains,
    uniqueDomains,
    toxicDomains,
    harmfulBacklinks: riskCounts.low + riskCounts.medium + riskCounts.high + riskCounts.veryHigh,
    riskCounts,
  };
}

const toPercentage = ({ toxicDomains, uniqueDomains }: Pick<CountedFigures, 'toxicDomains' | 'uniqueDomains'>) =>
  uniqueDomains === 0 ? 0 : (100 * toxicDomains) / uniqueDomains;

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
function toHarmfulBacklink(row: BacklinkRow, { harmfulBacklinks }: ReportSummary): HarmfulBacklink {
  const independentSourceCount = row.sourceCount - row.copies;
  const noun = row.copies > 0 ? 'independent source' : 'source';
  const sources = independentSourceCount === 1 ? `1 ${noun}` : `${independentSourceCount} ${noun}s`;
  return {
    domain: row.domain,
    referringPage: row.referringPage,
    riskLevel: toRiskLevel(row.risk),
    confidence: toConfidence(row.confidence),
    independentSourceCount,
    reason: `Listed since ${dateFormat.format(row.listedAt)}, now by ${sources}`,
    source: row.source,
    lost: row.position >= harmfulBacklinks,
    nofollow: row.nofollow,
    decision: row.decision,
    anchor: row.anchor,
    targetPage: row.targetPage,
    firstSeen: row.firstSeen,
  };
}

/** What the links of each listed name have in common, by the position of the name. */
export interface LinkFacts {
  /** The earliest date of all links as YYYY-MM-DD; undefined without a date. */
  firstSeen: (string | undefined)[];
  /** The number of nofollow links that are not lost. */
  nofollowBacklinks: number[];
  /** The bits of the signals that the links show. */
  signals: number[];
}

/** The listed names that cover hosts of an upload. */
interface ListedMatches {
  /** Names that were listed when they were looked up. */
  names: readonly string[];
  /** For each of `names`, the number of its backlinks that are not lost. */
  backlinks: readonly number[];
  /** For each of `names`, the number of its lost backlinks. */
  lostBacklinks: readonly number[];
  /**
   * Takes the names that are in the report, in the order of their positions. @returns the number of distinct
   * registrable domains that they cover, without and with lost links, their backlinks as lines for `copyBacklinks`, and
   * what these say about each name, which is complete after the last line
   */
  select(names: readonly string[]): {
    toxicDomains: number;
    toxicDomainsIncludingLost: number;
    lines(reportId: number): Iterable<string>;
    facts: LinkFacts;
  };
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
  { names, backlinks, lostBacklinks, select }: ListedMatches,
): Promise<number> {
  const id = await insertReport(trx, report);
  if (names.length === 0) return id;
  // The lists can be long, so each travels as one text with one value per line.
  await insertReportDomains(trx, id, {
    names: names.join('\n'),
    backlinks: backlinks.join('\n'),
    lostBacklinks: lostBacklinks.join('\n'),
  });
  const storedNames = await joinDomainNames(trx, id);
  if (storedNames === '') return id;
  const { lines, facts, ...toxicDomains } = select(storedNames.split('\n'));
  await updateReportTotals(trx, id, toxicDomains);
  await pipeline(lines(id), copyFrom(copyBacklinks));
  await storeLinkFacts(trx, id, facts);
  return id;
}

async function storeLinkFacts(
  trx: Db,
  id: number,
  { firstSeen, nofollowBacklinks, signals }: LinkFacts,
): Promise<void> {
  const positions = [...nofollowBacklinks.keys()].filter(
    (position) => firstSeen[position] !== undefined || nofollowBacklinks[position] !== 0 || signals[position] !== 0,
  );
  if (positions.length === 0) return;
  await updateLinkFacts(trx, id, {
    positions: positions.join('\n'),
    firstSeen: positions.map((position) => firstSeen[position] ?? '-').join('\n'),
    nofollowBacklinks: positions.map((position) => nofollowBacklinks[position]).join('\n'),
    signals: positions.map((position) => signals[position]).join('\n'),
  });
}

const header = ['Domain', 'Referring Page', 'Risk Level', 'Reason', 'Source', 'Confidence', 'Decision'];
const rowsPerQuery = 5000;

/**
 * Returns the harmful backlinks of a report, of one risk level or all, as a CSV stream with its file name. Throws 404 if
 * the user has no such report.
 */
export async function exportBacklinks(
  db: Db,
  userId: number,
  id: number,
  { riskLevel: level, lost }: Pick<QueryOf<typeof listHarmfulBacklinksEndpoint>, 'riskLevel' | 'lost'>,
) {
  const withLost = lost === 'include';
  const summary = await getSummary(db, userId, id);
  const ranges = getPositionRanges(summary, withLost, level);
  async function* rows() {
    for (let offset = 0; ; offset += rowsPerQuery) {
      const range = { offset, limit: rowsPerQuery };
      const backlinks = await readBacklinks(db, userId, summary, ranges, range);
      for (const { domain, referringPage, riskLevel, reason, source, confidence, decision } of backlinks) {
        yield [domain, referringPage, riskLevel, reason, source, confidence, decision ?? ''];
      }
      if (backlinks.length < rowsPerQuery) return;
    }
  }
  const part = level ? `${level.replace(' ', '-')}-risk-` : '';
  const fileName = `harmful-backlinks-${part}${summary.domain}-${summary.dateCreated.slice(0, 10)}.csv`;
  return { csv: writeCsv(header, rows()), fileName };
}
