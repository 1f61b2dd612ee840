import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { type AnalysisContext, analysisRunKind, maxLargeMemoryMb, runAnalysis } from './jobs.ts';
import * as store from './store.ts';

/**
 * Analyzes stored files immediately instead of queueing them, for a process that fills a database before it serves.
 * Removes the files. Throws with the analysis's message if it fails.
 * @returns the report's id
 */
export async function analyzeStoredFiles(context: AnalysisContext, analysis: store.NewAnalysis): Promise<number> {
  const { db } = context;
  const { userId, files } = analysis;
  const analysisId = await store.insertAnalysis(db, analysis, analysisRunKind.queuedMessage);
  const task = { analysisId, filePaths: files.map(({ path }) => path) };
  await runAnalysis(context, task, new AbortController().signal, { maxMemoryMb: maxLargeMemoryMb });
  const finished = await store.findAnalysis(db, userId, analysisId);
  if (!finished?.reportId) throw new Error(`The analysis of ${finished?.fileName} failed: ${finished?.message}`);
  return finished.reportId;
}

/** Returns the paths of the uploaded files that queued, running and waiting analyses still need. */
export async function listAnalysisFiles(db: Db): Promise<string[]> {
  return (await store.listOpen(db)).flatMap(({ files }) => files.map(({ path }) => path));
}

const maxWaitingMs = 7 * 24 * 60 * 60 * 1000;

/** Fails the analyses whose question nobody answered for a week, and removes their files. */
export async function expireQuestions({ db, files, now }: Pick<Context, 'db' | 'files' | 'now'>): Promise<void> {
  const before = new Date(now().getTime() - maxWaitingMs);
  const message = 'The question about this upload was not answered within 7 days. Upload the file again.';
  for (const expired of await store.failWaiting(db, before, message)) {
    for (const { path } of expired.files) await files.remove(path);
  }
}
