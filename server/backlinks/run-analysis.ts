import type { Context } from '../context.ts';
import { UnreadableFile } from '../csv/unreadable-file.ts';
import type { Db } from '../db/database.ts';
import { analyseFile } from './analyse-file.ts';
import {
  completeAnalysis,
  failAnalysis,
  isProcessing,
  returnAttempt,
  startAttempt,
  updateProgress,
} from './store-run.ts';

export interface AnalysisTask {
  analysisId: string;
  filePath: string;
}

const mostAttempts = 4;
const lookEvery = 500;

/**
 * Works one analysis to its end: a report, or a sentence that says why there is none. Safe to run twice, also at once. The file
 * is removed at the end. Throws when the work is to be tried again.
 */
export async function runAnalysis(context: Context, task: AnalysisTask, signal: AbortSignal): Promise<void> {
  const { db, files, log } = context;
  const { analysisId: id, filePath } = task;
  const analysis = await startAttempt(db, id);
  if (!analysis) return files.remove(filePath);
  if (analysis.attempts > mostAttempts)
    await failAnalysis(db, id, 'This file could not be analysed. Please try again with a smaller one.');
  else {
    const watch = watchAnalysis(db, id, (error) => log.error({ err: error }, 'progress of an analysis'));
    try {
      await analyseFile(
        context,
        { ...analysis, path: filePath },
        {
          signal: AbortSignal.any([signal, watch.ended]),
          onProgress: watch.note,
          async complete(trx, reportId) {
            if (!(await completeAnalysis(trx, id, reportId)))
              throw new Error('The analysis ended while its report was written.');
          },
        },
      );
    } catch (error) {
      const sentence = sentenceFor(error);
      if (!(await isProcessing(db, id))) log.debug({ err: error, id }, 'an analysis ended elsewhere');
      else if (sentence) await failAnalysis(db, id, sentence);
      else {
        if (signal.aborted) await returnAttempt(db, id);
        throw error;
      }
    } finally {
      await watch.stop();
    }
  }
  await files.remove(filePath);
}

/** Writes the progress twice a second, and finds out when the analysis was cancelled or its profile deleted. */
function watchAnalysis(db: Db, id: string, onError: (error: unknown) => void) {
  const ended = new AbortController();
  let now = { progress: 0, message: 'Reading the file' };
  let writing = Promise.resolve();
  const look = async () => {
    if (!(await updateProgress(db, id, now.progress, now.message))) ended.abort();
  };
  const timer = setInterval(() => {
    writing = writing.then(look).catch(onError);
  }, lookEvery);
  return {
    ended: ended.signal,
    note(share: number, message: string) {
      now = { progress: Math.min(99, Math.floor(share * 100)), message };
    },
    stop() {
      clearInterval(timer);
      return writing;
    },
  };
}

/** What the person who uploaded the file is told; undefined for what is worth another try. */
function sentenceFor(error: unknown): string | undefined {
  if (error instanceof UnreadableFile) return error.message;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY')
    return 'This file names too many different sites for one analysis. Please split it into smaller files.';
  if (code === 'ENOENT') return 'The uploaded file is no longer there. Please upload it again.';
  return undefined;
}
