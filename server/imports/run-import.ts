import { UnreadableFile } from '../csv/unreadable-file.ts';
import { isTransientDbError } from '../db/transient-error.ts';
import { refreshStatistics } from '../domains/merge-staged.ts';
import { fileFault } from '../http/errors.ts';
import { type ImportContext, loadFile } from './load-file.ts';
import { reportProgress } from './report-progress.ts';
import { beginAttempt, failImport, giveBackAttempt } from './store.ts';

/** Starts that may end without a word (a killed process) before the file is given up on. */
const mostAttempts = 5;

/**
 * The work on one import. Safe to run twice: one that has ended is left alone. Throws to be run again: when the process stops
 * or the database is away for a moment. Any other fault ends the import as failed, with a sentence on its row.
 */
export async function runImport(context: ImportContext, importId: string, signal: AbortSignal): Promise<void> {
  const { db, log, files } = context;
  const load = await beginAttempt(db, importId);
  if (!load) return;
  const report = reportProgress(context, importId);
  try {
    if (load.attempts > mostAttempts) throw new Error(`The import was started ${mostAttempts} times and never ended.`);
    const counts = await loadFile(context, load, report, signal);
    await refreshStatistics(db, counts);
  } catch (error) {
    await report.stop();
    if (signal.aborted) {
      await giveBackAttempt(db, importId);
      throw error;
    }
    const refused = error instanceof UnreadableFile;
    if (refused) log.info({ importId, reason: error.message }, 'an import was refused');
    else log.error({ err: error, importId }, 'an import failed');
    if (isTransientDbError(error)) throw error;
    await failImport(db, importId, sentenceOf(error), refused, context.now());
  } finally {
    await report.stop();
  }
  await files.remove(load.filePath);
}

function sentenceOf(error: unknown): string {
  if (error instanceof UnreadableFile) return error.message;
  return fileFault(error) ?? 'Something went wrong on our side. Nothing was imported. Please try again.';
}
