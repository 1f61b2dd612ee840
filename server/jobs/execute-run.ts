import type { Context } from '../context.ts';
import { isUnreadableFile } from '../csv/unreadable-file.ts';
import type { Db } from '../db/database.ts';
import { isTransientDbError } from '../db/transient-error.ts';
import { fileErrorMessage } from '../http/errors.ts';
import {
  failRun,
  isUnfinished,
  pauseRun,
  type RunChanges,
  type RunId,
  type RunTable,
  requeueRun,
  startRun,
  updateRun,
} from './runs.ts';

/** One kind of run. */
export interface RunKind {
  table: RunTable;
  /** The message of a run that is returned to the queue. */
  queuedMessage: string;
  /** The message of a run that failed for a reason other than its file. */
  failedMessage: string;
  /** Reset values of progress counts, written when a run starts and when it fails. */
  cleared?: RunChanges;
  /** Returns the message of a run that failed with this error; undefined for the default. */
  describeFailure?(error: unknown): string | undefined;
  /** Called in the transaction that fails a run. `fail` returns false if the run had already finished. */
  onFailure?(trx: Db, fail: () => Promise<boolean>): Promise<void>;
}

/** The argument of a run's work. */
export interface Run {
  /** Aborts when the process stops, and when the run is cancelled or deleted. */
  signal: AbortSignal;
  /** Sets the current progress, which is written to the row twice a second. */
  onProgress(now: RunChanges): void;
  /** Lets the run wait for an answer of the user once its work returns, with these changes to its row. */
  waitForAnswer(changes: RunChanges): void;
}

/** Attempts, including those whose process was killed, before a run fails. */
const maxAttempts = 5;
const writeIntervalMs = 500;

/**
 * Executes a run: `work` must complete it with `completeRun`, or let it wait for the user. Safe to run twice, even at
 * the same time. Throws, so that the job is retried, if the process stops or after a transient database error. Any other
 * error fails the run with a message for the user.
 */
export async function executeRun(
  { db, log }: Pick<Context, 'db' | 'log'>,
  { table, queuedMessage, failedMessage, cleared, describeFailure, onFailure }: RunKind,
  id: RunId,
  stopping: AbortSignal,
  work: (run: Run) => Promise<unknown>,
): Promise<void> {
  const attempts = await startRun(db, table, id, cleared ?? {});
  if (attempts === undefined) return;
  const progress = writeProgress(table, id, { db, log });
  try {
    if (attempts > maxAttempts) throw new Error(`The run was started ${maxAttempts} times and never finished.`);
    let pause: RunChanges | undefined;
    await work({
      signal: AbortSignal.any([stopping, progress.cancelled]),
      onProgress: progress.set,
      waitForAnswer(changes) {
        pause = changes;
      },
    });
    await progress.stop();
    if (pause) await pauseRun(db, table, id, pause);
  } catch (error) {
    await progress.stop();
    if (stopping.aborted) {
      await requeueRun(db, table, id, queuedMessage);
      throw error;
    }
    if (isTransientDbError(error)) throw error;
    // Cancelled, deleted, or completed by another process.
    if (!(await isUnfinished(db, table, id))) return;
    const refused = isUnreadableFile(error);
    if (refused) log.info({ table, id, reason: error.message }, 'a run was refused');
    else log.error({ err: error, table, id }, 'a run failed');
    const message = refused ? error.message : (describeFailure?.(error) ?? fileErrorMessage(error) ?? failedMessage);
    await db.transaction().execute(async (trx) => {
      const fail = () => failRun(trx, table, id, { ...cleared, message, refused });
      await (onFailure ? onFailure(trx, fail) : fail());
    });
  } finally {
    await progress.stop();
  }
}

/** Writes the progress to the row at intervals. `cancelled` aborts when an update finds that the run was cancelled. */
function writeProgress(table: RunTable, id: RunId, { db, log }: Pick<Context, 'db' | 'log'>) {
  const cancelled = new AbortController();
  let now: RunChanges = {};
  let writing: Promise<void> | undefined;
  const write = async () => {
    try {
      if (!(await updateRun(db, table, id, now))) cancelled.abort(new Error('The run was cancelled.'));
    } catch (error) {
      log.warn({ err: error, table, id }, 'writing the progress of a run failed');
    }
    writing = undefined;
  };
  const timer = setInterval(() => {
    writing ??= write();
  }, writeIntervalMs);
  return {
    cancelled: cancelled.signal,
    set(changes: RunChanges) {
      now = changes;
    },
    /** Stops writing and waits for a write in progress. */
    async stop() {
      clearInterval(timer);
      await writing;
    },
  };
}
