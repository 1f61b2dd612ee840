import { setTimeout as wait } from 'node:timers/promises';
import type { Analysis, AnalysisResult } from '#shared/backlinks.ts';
import type { Db } from '../db/database.ts';
import { notFound } from '../http/errors.ts';
import { getSummaryWithBacklinks } from '../reports/reports.ts';
import { type AnalysisRow, findAnalysis, listRunning } from './store.ts';

const lookEvery = 50;

/** How far an analysis is, and its result. Throws 404 when the user has no such analysis. */
export async function getAnalysis(db: Db, userId: number, id: string): Promise<Analysis> {
  const row = await findAnalysis(db, userId, id);
  if (!row) throw notFound('analysis', id);
  return analysisOf(row, row.reportId === null ? null : await resultOf(db, userId, row.reportId));
}

/** The same once it has ended, at the latest after `milliseconds`; `refused`: it failed because of the file. */
export async function awaitAnalysis(
  db: Db,
  userId: number,
  id: string,
  milliseconds: number,
  signal: AbortSignal,
): Promise<{ analysis: Analysis; refused: boolean }> {
  const until = performance.now() + milliseconds;
  let row = await findAnalysis(db, userId, id);
  while (row?.status === 'processing' && performance.now() < until && !signal.aborted) {
    await wait(lookEvery);
    row = await findAnalysis(db, userId, id);
  }
  return { analysis: await getAnalysis(db, userId, id), refused: row?.refused ?? false };
}

/** The user's analyses that have not ended, newest first. */
export async function listAnalyses(db: Db, userId: number): Promise<Analysis[]> {
  return (await listRunning(db, userId)).map((row) => analysisOf(row, null));
}

async function resultOf(db: Db, userId: number, reportId: number): Promise<AnalysisResult> {
  const { summary, backlinks } = await getSummaryWithBacklinks(db, userId, reportId);
  const { id, ...result } = summary;
  return { ...result, reportId: id, toxicBacklinks: backlinks };
}

function analysisOf(row: AnalysisRow, result: AnalysisResult | null): Analysis {
  const { id: analysisId, profileId, status, progress, message, fileName } = row;
  return { analysisId, profileId, status, progress, message, fileName, result };
}
