import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { isUnreadableFile } from '../csv/unreadable-file.ts';
import type { Db } from '../db/database.ts';
import { isTransientDbError } from '../db/transient-error.ts';
import { FilesUnavailable, waitingForSpace } from '../files/files-unavailable.ts';
import { fileErrorMessage } from '../http/errors.ts';
import {
  failRun,
  findAttempts,
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
  /** Runs also while the disk has less than its reserve, because it frees space. */
  freesSpace?: true;
  /** Returns the message of a run that failed with this error; undefined for the default. */
  describeFailure?(error: unknown): string | undefined;
  /** Whether the run cannot be done here, although nothing is broken. The error's message says why. */
  isRefusal?(error: Error): boolean;
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

/** Attempts whose process was killed, before a run fails. */
const maxAttempts = 5;
const writeIntervalMs = 500;
/** How often a run that cannot start looks again whether it can. */
const waitIntervalMs = 2000;
/** How often a run asks again for files that cannot be reached. Each time, several requests have failed before. */
const filesIntervalMs = 5000;

const waitingForDatabase = 'Waiting for the database';

/**
 * Executes a run: `work` must complete it with `completeRun`, or let it wait for the user. Safe to run twice, even at
 * the same time. Waits while the disk has too little space, or stored files cannot be reached. Neither waiting nor
 * throwing uses up an attempt. Any other error fails the run with a message for the user.
 * @throws if the process stops or after a transient database error, so that the job is retried
 */
export async function executeRun(
  context: Pick<Context, 'db' | 'files' | 'log'>,
  kind: RunKind,
  { id, stopping }: { id: RunId; stopping: AbortSignal },
  work: (run: Run) => Promise<unknown>,
): Promise<void> {
  // A retry of the job would be limited by its queue.
  while ((await attemptRun(context, kind, { id, stopping }, work)) === 'waiting') {
    await delay(filesIntervalMs, undefined, { signal: stopping });
  }
}

/** @returns 'waiting' if the run is in the queue again because files cannot be reached */
async function attemptRun(
  context: Pick<Context, 'db' | 'files' | 'log'>,
  { table, queuedMessage, failedMessage, cleared, freesSpace, describeFailure, isRefusal, onFailure }: RunKind,
  { id, stopping }: { id: RunId; stopping: AbortSignal },
  work: (run: Run) => Promise<unknown>,
): Promise<'waiting' | undefined> {
  const { db, log } = context;
  const attempts = await (freesSpace ? findAttempts(db, table, id) : waitForSpace(context, table, id, stopping));
  if (attempts === undefined) return undefined;
  // The number is known before, so that a start whose response was lost counts once.
  const start = () => startRun(db, table, id, { attempts: attempts + 1, changes: cleared ?? {} });
  if (!(await retryWhileUnavailable(context, stopping, start))) return undefined;
  const progress = writeProgress(table, id, context, freesSpace ?? false);
  try {
    if (attempts >= maxAttempts) throw new Error(`The run was started ${maxAttempts} times and never finished.`);
    let pause: RunChanges | undefined;
    await work({
      signal: AbortSignal.any([stopping, progress.ended]),
      onProgress: progress.set,
      waitForAnswer(changes) {
        pause = changes;
      },
    });
    await progress.stop();
    if (pause) await pauseRun(db, table, id, pause);
  } catch (error) {
    await progress.stop();
    const requeue = (message: string) =>
      retryWhileUnavailable(context, stopping, () => requeueRun(db, table, id, { attempts, message }));
    if (stopping.aborted || isTransientDbError(error)) {
      await requeue(stopping.aborted ? queuedMessage : waitingForDatabase);
      throw error;
    }
    // Cancelled, deleted, or completed by another process.
    if (!(await isUnfinished(db, table, id))) return undefined;
    if (error instanceof FilesUnavailable) {
      log.warn({ err: error, table, id }, 'a run waits for its files');
      await requeue(error.progress);
      return 'waiting';
    }
    const refused = isUnreadableFile(error) || (error instanceof Error && isRefusal?.(error) === true);
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
  return undefined;
}

/** Repeats a query until the database is available again, or the process stops. */
async function retryWhileUnavailable<Result>(
  { log }: Pick<Context, 'log'>,
  stopping: AbortSignal,
  query: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await query();
    } catch (error) {
      if (stopping.aborted || !isTransientDbError(error)) throw error;
      log.warn({ err: error }, 'a run waits for the database');
      await delay(waitIntervalMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}

/**
 * Waits while less than the reserve of the disk is left.
 * @returns the attempts of the run so far; undefined if it has finished, was cancelled, or is gone
 */
async function waitForSpace(
  { db, files, log }: Pick<Context, 'db' | 'files' | 'log'>,
  table: RunTable,
  id: RunId,
  stopping: AbortSignal,
): Promise<number | undefined> {
  for (let isWaiting = false; ; ) {
    const attempts = await findAttempts(db, table, id);
    if (attempts === undefined || (await files.readSpace()).spareBytes >= 0) return attempts;
    if (!isWaiting) {
      log.warn({ table, id }, 'a run waits for disk space');
      await requeueRun(db, table, id, { attempts, message: waitingForSpace });
      isWaiting = true;
    }
    await delay(waitIntervalMs, undefined, { signal: stopping });
  }
}

/**
 * Writes the progress to the row at intervals. `ended` aborts when an update finds that the run was cancelled, and when
 * the disk is nearly full.
 */
function writeProgress(
  table: RunTable,
  id: RunId,
  { db, files, log }: Pick<Context, 'db' | 'files' | 'log'>,
  freesSpace: boolean,
) {
  const ended = new AbortController();
  let now: RunChanges = {};
  let writing: Promise<void> | undefined;
  const write = async () => {
    try {
      if (!freesSpace && (await files.readSpace()).isCritical) {
        ended.abort(Object.assign(new Error('The disk is nearly full.'), { code: 'ENOSPC' }));
      } else if (!(await updateRun(db, table, id, now))) ended.abort(new Error('The run was cancelled.'));
    } catch (error) {
      log.warn({ err: error, table, id }, 'writing the progress of a run failed');
    }
    writing = undefined;
  };
  const timer = setInterval(() => {
    writing ??= write();
  }, writeIntervalMs);
  return {
    ended: ended.signal,
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
