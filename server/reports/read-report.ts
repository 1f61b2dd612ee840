import type { RiskLevel } from '#shared/domains.ts';
import { type Pagination, paginationOf } from '#shared/page.ts';
import { type HarmfulBacklink, type Report, type ReportSummary, reportDataLimit } from '#shared/reports.ts';
import type { Db } from '../db/database.ts';
import { notFound } from '../http/errors.ts';
import { harmfulBacklinkOf } from './harmful-backlink.ts';
import { findReport, listBacklinks, listLatestReports, listReports } from './store.ts';
import { summaryOf } from './summary.ts';

/** The reports of one of the user's profiles, newest first. */
export async function listSummaries(db: Db, userId: number, profileId: number): Promise<ReportSummary[]> {
  return (await listReports(db, userId, profileId)).map(summaryOf);
}

/** A summary with the name of its website. Throws 404 when the user has no such report. */
export async function getSummary(db: Db, userId: number, id: number): Promise<ReportSummary & { domain: string }> {
  const row = await findReport(db, userId, id);
  if (!row) throw notFound('report', id);
  return { ...summaryOf(row), domain: row.domain };
}

/** The summary and the first harmful entries, highest risk first. Throws 404 as getSummary does. */
export async function getSummaryWithBacklinks(db: Db, userId: number, id: number) {
  const summary = await getSummary(db, userId, id);
  const rows = await listBacklinks(db, userId, id, 0, reportDataLimit);
  return { summary, backlinks: rows.map(harmfulBacklinkOf) };
}

export async function getReport(db: Db, userId: number, id: number): Promise<Report> {
  const { summary, backlinks } = await getSummaryWithBacklinks(db, userId, id);
  return { ...summary, reportData: JSON.stringify(backlinks) };
}

export interface BacklinkQuery {
  page: number;
  pageSize: number;
  riskLevel?: RiskLevel | undefined;
}

/** A page of harmful backlinks, highest risk first, of one level or all. A page past the end is empty. */
export async function listHarmfulBacklinks(
  db: Db,
  userId: number,
  id: number,
  { page, pageSize, riskLevel }: BacklinkQuery,
): Promise<{ backlinks: HarmfulBacklink[]; pagination: Pagination }> {
  const { from, to } = positionsOf(await getSummary(db, userId, id), riskLevel);
  const first = from + page * pageSize;
  const rows = first < to ? await listBacklinks(db, userId, id, first, Math.min(first + pageSize, to)) : [];
  return { backlinks: rows.map(harmfulBacklinkOf), pagination: paginationOf(page, pageSize, to - from) };
}

/** The newest report of each of the user's profiles by the profile's id, and the number of its reports. */
export async function latestReports(db: Db, userId: number) {
  const rows = await listLatestReports(db, userId);
  return new Map(rows.map((row) => [row.profileId, { report: summaryOf(row), count: row.reportCount }]));
}

/** Where the entries of a level stand: each level is one run, the highest first. */
function positionsOf({ riskCounts, harmfulBacklinks }: ReportSummary, level: RiskLevel | undefined) {
  if (!level) return { from: 0, to: harmfulBacklinks };
  const { low, medium, high, veryHigh } = riskCounts;
  const ends = {
    'very high': veryHigh,
    high: veryHigh + high,
    medium: veryHigh + high + medium,
    low: harmfulBacklinks,
  };
  const sizes = { 'very high': veryHigh, high, medium, low };
  return { from: ends[level] - sizes[level], to: ends[level] };
}
