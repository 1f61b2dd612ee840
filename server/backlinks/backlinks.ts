import type { Db } from '../db/database.ts';
import { type AnalysisContext, analyses, runAnalysis } from './jobs.ts';
import * as store from './store.ts';

/**
 * Analyses a stored file at once, without a queue: for a process that fills a database before it serves. The file is removed.
 * @returns the report's id. Throws with the analysis's message when it fails.
 */
export async function analyzeStoredFile(context: AnalysisContext, analysis: store.NewAnalysis): Promise<number> {
  const { db } = context;
  const { userId, filePath, fileName } = analysis;
  const analysisId = await store.insertAnalysis(db, analysis, analyses.queuedMessage);
  await runAnalysis(context, { analysisId, filePath }, new AbortController().signal);
  const ended = await store.findAnalysis(db, userId, analysisId);
  if (!ended?.reportId) throw new Error(`The analysis of ${fileName} failed: ${ended?.message}`);
  return ended.reportId;
}

/** Paths of the uploaded files that an analysis still needs. */
export async function listAnalysisFiles(db: Db): Promise<string[]> {
  return (await store.listUnfinished(db)).map(({ filePath }) => filePath);
}

/** A page of the user's analyses, by their ids, after the id `after`. */
export const listAnalysesOfUser = store.listAnalysesOfUser;

/** Gives the analyses of a profile to its new owner: whoever can read a report can also see how it came to be. */
export const transferAnalyses = store.updateOwner;
