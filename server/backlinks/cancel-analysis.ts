import type { Context } from '../context.ts';
import { conflict, notFound } from '../http/errors.ts';
import { analysisJob } from './jobs.ts';
import { cancelAnalysis as cancelRow, findAnalysis } from './store.ts';

/**
 * Ends an analysis: one that waits never starts, one at work stops within a second, wherever it runs. The file is removed.
 * Throws 404 when the user has no such analysis, 409 when it has ended otherwise.
 */
export async function cancelAnalysis({ db, jobs, files }: Context, userId: number, id: string): Promise<void> {
  const filePath = await cancelRow(db, userId, id);
  if (filePath === undefined) {
    const analysis = await findAnalysis(db, userId, id);
    if (!analysis) throw notFound('analysis', id);
    if (analysis.status !== 'cancelled') throw conflict('This analysis has already ended.');
    return;
  }
  await jobs.cancel(analysisJob.queue.name, id);
  await files.remove(filePath);
}
