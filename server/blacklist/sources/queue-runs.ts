import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { insertRun, listIdsWithoutJob, type SourceRunRow, type SourceRunTask } from './store-runs.ts';

// The processes of runs load this file, so it must not load the job queue.

/**
 * The run's row limits the attempts. The queue's own limit is high, because it also counts jobs that a server stop
 * interrupted.
 */
export const sourceRunQueue = { name: 'source-runs', retryLimit: 1000 };

/** The message of a run that waits for its worker. */
export const queuedMessage = 'Waiting to start';

/** `title` says what was changed. */
export type NewSourceRun = SourceRunTask & { title: string };

/** Inserts a run without its job. Call `queueSourceRuns` after the transaction. */
export function insertSourceRun(
  trx: Db,
  { id, username }: { id: number | null; username: string },
  run: NewSourceRun,
): Promise<SourceRunRow> {
  return insertRun(trx, { ...run, userId: id, startedBy: username, message: queuedMessage });
}

/** Creates the jobs of runs that were inserted without one. Safe to call at any time. */
export async function queueSourceRuns({ db, jobs }: Pick<Context, 'db' | 'jobs'>): Promise<void> {
  for (const runId of await listIdsWithoutJob(db, sourceRunQueue.name)) await jobs.send(sourceRunQueue.name, { runId });
}
