import type { Context } from '../context.ts';
import { isUnreadableFile } from '../csv/unreadable-file.ts';
import { isTransientDbError } from '../db/transient-error.ts';
import { fileErrorMessage } from '../http/errors.ts';
import {
  failRun,
  isUnfinished,
  type RunChanges,
  type RunId,
  type RunTable,
  returnRun,
  startRun,
  updateRun,
} from './runs.ts';

/** One kind of long work. */
export interface RunKind {
  table: RunTable;
  /** The message of a run that is returned to the queue. */
  queuedMessage: string;
  /** The message of a run that failed through no fault of its file. */
  failedMessage: string;
  /** Counts of what is not committed: cleared when a run starts and when it fails. */
  cleared?: RunChanges;
}

/** What the work of a run gets. */
export interface Run {
  /** Aborts when the process stops, and when the run was cancelled or is gone with what it belonged to. */
  signal: AbortSignal;
  /** Takes what is true of the run from now on. It is written to the row twice a second. */
  onProgress(now: RunChanges): void;
}

/** Starts that may end without a word (a killed process) before a run fails. */
const maxAttempts = 5;
const writeEveryMs = 500;

/**
 * Works a run to its end; `work` completes it. Safe to run twice, also at once. Throws to be run again when the process stops or the
 * database is away for a moment. Any other error ends the run as failed, with a message for the person who started it.
 */
export async function workRun(
  { db, log }: Pick<Context, 'db' | 'log'>,
  { table, queuedMessage, failedMessage, cleared }: RunKind,
  id: RunId,
  stopping: AbortSignal,
  work: (run: Run) => Promise<unknown>,
): Promise<void> {
  const attempts = await startRun(db, table, id, cleared ?? {});
  if (attempts === undefined) return;
  const progress = writeProgress(table, id, { db, log });
  try {
    if (attempts > maxAttempts) throw new Error(`The run was started ${maxAttempts} times and never ended.`);
    await work({ signal: AbortSignal.any([stopping, progress.cancelled]), onProgress: progress.set });
  } catch (error) {
    await progress.stop();
    if (stopping.aborted) {
      await returnRun(db, table, id, queuedMessage);
      throw error;
    }
    if (isTransientDbError(error)) throw error;
    // Cancelled, gone, or done by another process.
    if (!(await isUnfinished(db, table, id))) return;
    const refused = isUnreadableFile(error);
    if (refused) log.info({ table, id, reason: error.message }, 'a run was refused');
    else log.error({ err: error, table, id }, 'a run failed');
    const message = refused ? error.message : (fileErrorMessage(error) ?? failedMessage);
    await failRun(db, table, id, { ...cleared, message, refused });
  } finally {
    await progress.stop();
  }
}

/** Keeps the row up to date for whoever asks, and learns there that the run was cancelled. */
function writeProgress(table: RunTable, id: RunId, { db, log }: Pick<Context, 'db' | 'log'>) {
  const cancelled = new AbortController();
  let now: RunChanges = {};
  let writing: Promise<void> | undefined;
  const write = async () => {
    try {
      if (!(await updateRun(db, table, id, now))) cancelled.abort(new Error('The run was cancelled.'));
    } catch (error) {
      log.warn({ err: error, table, id }, 'the progress of a run was not written');
    }
    writing = undefined;
  };
  const timer = setInterval(() => {
    writing ??= write();
  }, writeEveryMs);
  return {
    cancelled: cancelled.signal,
    set(changes: RunChanges) {
      now = changes;
    },
    /** Ends writing: after it the row belongs to the caller. */
    async stop() {
      clearInterval(timer);
      await writing;
    },
  };
}
