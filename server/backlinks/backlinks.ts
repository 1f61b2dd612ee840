import type { Db } from '../db/database.ts';
import { type AnalysisContext, analysisRunKind, runAnalysis } from './jobs.ts';
import * as store from './store.ts';

/**
 * Analyzes a stored file immediately instead of queueing it, for a process that fills a database before it serves.
 * Removes the file. Throws with the analysis's message if it fails.
 * @returns the report's id
 */
export async function analyzeStoredFile(context: AnalysisContext, analysis: store.NewAnalysis): Promise<number> {
  const { db } = context;
  const { userId, filePath, fileName } = analysis;
  const analysisId = await store.insertAnalysis(db, analysis, analysisRunKind.queuedMessage);
  await runAnalysis(context, { analysisId, filePath }, new AbortController().signal);
  const finished = await store.findAnalysis(db, userId, analysisId);
  if (!finished?.reportId) throw new Error(`The analysis of ${fileName} failed: ${finished?.message}`);
  return finished.reportId;
}

/** Returns the paths of the uploaded files that unfinished analyses still need. */
export async function listAnalysisFiles(db: Db): Promise<string[]> {
  return (await store.listUnfinished(db)).map(({ filePath }) => filePath);
}

/** Returns a page of the user's analyses: those after the id `after`, in the order of their ids. */
export const listAnalysesOfUser = store.listAnalysesOfUser;

/** Transfers the analyses of a profile to its new owner, who also gets the reports. */
export const transferAnalyses = store.updateOwner;
