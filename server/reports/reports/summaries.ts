import {
  countOfRisk,
  type RiskCounts,
  type RiskLevel,
  riskLevels,
  sumRiskCounts,
  toRiskNumber,
} from '#shared/blacklist/domains.ts';
import {
  minDomainsForPercentage,
  type Report,
  type ReportFigures,
  type ReportSummary,
} from '#shared/reports/reports.ts';
import { maxTrendPoints, type TrendPoint } from '#shared/reports/websites.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { notFound } from '../../platform/http/errors.ts';
import { mergeSkipped } from '../backlink-files/backlink-files.ts';
import { findReport, listLatestReports, listReports, type ReportRow } from './store.ts';
import { countDecisions, countReviews, listUncountedNewest, storeCounts } from './store-counts.ts';
import type { CountedFigures, DecisionCounts } from './tables.ts';

/** Reads use the replica, if there is one. What is missing is counted and stored on the primary. */
export type Reading = Pick<Context, 'db' | 'readDb'>;

/** Returns the reports of one of the user's websites, newest first. */
export async function listSummaries(db: Db, userId: number, websiteId: number): Promise<ReportSummary[]> {
  return (await listReports(db, userId, websiteId)).map(toSummary);
}

/** Returns a report without its backlinks. @throws 404 if the user has no such report */
export async function getSummary(
  db: Db,
  userId: number,
  id: number,
): Promise<Omit<Report, 'reportData' | 'checksLinks'>> {
  const row = await findReport(db, userId, id);
  if (!row) throw notFound('report', id);
  return { ...toSummary(row), domain: row.domain, signals: row.signals ?? [] };
}

/**
 * Returns the newest report, the number of reports, the trend and the review of each of the user's websites, or of one,
 * by website id.
 */
export async function findLatestReports({ db, readDb }: Reading, userId: number, websiteId?: number) {
  for (const id of await listUncountedNewest(readDb, userId, websiteId)) {
    await db.transaction().execute((trx) => storeCounts(trx, id));
  }
  const [rows, reviews] = await Promise.all([
    listLatestReports(readDb, userId, maxTrendPoints, websiteId),
    countReviews(readDb, userId, websiteId),
  ]);
  const reviewsById = new Map<number, typeof noReview>();
  for (const { reportId, listedDomains, decidedDomains, newToxicDomains } of reviews) {
    const decided = decidedDomains ?? sumDecisions((await countDecisions({ db, readDb }, reportId)).present);
    reviewsById.set(reportId, { listedDomains, openReviews: listedDomains - decided, newToxicDomains });
  }
  return new Map(
    rows.map((row) => {
      const trend = row.trend.map(toTrendPoint).toReversed();
      // A report that was stored between the two queries has no review yet.
      const review = reviewsById.get(row.id) ?? noReview;
      return [row.websiteId, { report: toSummary(row), count: row.reportCount, trend, ...review }] as const;
    }),
  );
}

const noReview = { listedDomains: 0, openReviews: 0, newToxicDomains: null as number | null };

const sumDecisions = ({ keep, remove, disavow }: DecisionCounts) => keep + remove + disavow;

function toTrendPoint(point: { date: string; toxicDomains: number; uniqueDomains: number }): TrendPoint {
  return {
    ...point,
    date: new Date(point.date).toISOString(),
    toxicityPercentage: point.uniqueDomains < minDomainsForPercentage ? null : toPercentage(point),
  };
}

/** Converts a row to a report without its backlinks. */
function toSummary(row: ReportRow): ReportSummary {
  const { id, websiteId, createdAt, lostBacklinks, fileName, formats, ignoredTables, includingLost } = row;
  return {
    id,
    profileId: websiteId,
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
    harmfulBacklinks: sumRiskCounts(riskCounts),
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

/** Positions of domains or backlinks: `from` up to, but not including, `to`. */
export interface PositionRange {
  from: number;
  to: number;
}

/** Returns the positions of a level, or of all: the highest level comes first, at `start`. */
export function getLevelRange(counts: RiskCounts, level: RiskLevel | undefined, start = 0): PositionRange {
  if (!level) return { from: start, to: start + sumRiskCounts(counts) };
  const from = start + sumRiskCounts(counts, riskLevels.slice(toRiskNumber(level)));
  return { from, to: from + countOfRisk(counts, level) };
}
