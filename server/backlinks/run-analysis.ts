import type { Context } from '../context.ts';
import { UnreadableFile } from '../csv/unreadable-file.ts';
import { isTransientDbError } from '../db/transient-error.ts';
import { fileFault } from '../http/errors.ts';
import { analyseFile } from './analyse-file.ts';
import { completeAnalysis, failAnalysis, isProcessing, returnAttempt, startAttempt } from './store-run.ts';
import { watchAnalysis } from './watch-analysis.ts';

export interface AnalysisTask {
  analysisId: string;
  filePath: string;
}

/** Starts that may end without a word (a killed process) before the file is given up on. */
const mostAttempts = 4;

/**
 * Works one analysis to its end: a report, or a sentence that says why there is none. Safe to run twice, also at once. The file
 * is removed at the end. Throws to be run again: when the process stops or the database is away for a moment.
 */
export async function runAnalysis(context: Context, task: AnalysisTask, signal: AbortSignal): Promise<void> {
  const { db, files, log } = context;
  const { analysisId: id, filePath } = task;
  const analysis = await startAttempt(db, id);
  if (!analysis) return files.remove(filePath);
  const watch = watchAnalysis(db, id, (error) => log.error({ err: error, id }, 'progress of an analysis'));
  try {
    if (analysis.attempts > mostAttempts)
      throw new Error(`The analysis was started ${mostAttempts} times and never ended.`);
    const steps = {
      signal: AbortSignal.any([signal, watch.ended]),
      onProgress: watch.note,
      async complete(trx: Context['db'], reportId: number) {
        if (!(await completeAnalysis(trx, id, reportId))) throw new Error(`The analysis ${id} has ended already.`);
      },
    };
    await analyseFile(context, { ...analysis, path: filePath }, steps);
  } catch (error) {
    await watch.stop();
    await endOrThrow(context, id, error, signal);
  } finally {
    await watch.stop();
  }
  await files.remove(filePath);
}

async function endOrThrow({ db, log }: Context, id: string, error: unknown, signal: AbortSignal): Promise<void> {
  if (signal.aborted) {
    await returnAttempt(db, id);
    throw error;
  }
  if (isTransientDbError(error)) throw error;
  // Cancelled, gone with its profile, or done by another process.
  if (!(await isProcessing(db, id))) return;
  const refusal = refusalOf(error);
  if (refusal) log.info({ id, reason: refusal }, 'an analysis was refused');
  else log.error({ err: error, id }, 'an analysis failed');
  const message = refusal ?? fileFault(error) ?? 'Something went wrong on our side. Please try again.';
  await failAnalysis(db, id, message, refusal !== undefined);
}

/** What is wrong with the file, in a sentence for the person who uploaded it. */
function refusalOf(error: unknown): string | undefined {
  if (error instanceof UnreadableFile) return error.message;
  const isTooMuch = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isTooMuch
    ? 'This file names too many different sites for one analysis. Please split it into smaller files.'
    : undefined;
}
