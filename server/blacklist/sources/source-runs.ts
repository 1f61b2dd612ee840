import { fromKysely } from 'pg-boss';
import type { SourceRun } from '#shared/blacklist/sources.ts';
import type { Context } from '../../context.ts';
import type { Trx } from '../../platform/db/database.ts';
import { conflict, notFound } from '../../platform/http/errors.ts';
import type { Audit, Identity } from '../../platform/http/scope.ts';
import { insertSourceRun, type NewSourceRun, queuedMessage, sourceRunQueue } from './queue-runs.ts';
import { findRun, listRuns, requeueFailedRun, type SourceRunRow } from './store-runs.ts';

const maxFinishedRuns = 5;

/** Starts a run in the transaction that changes the sources. */
export async function startSourceRun(
  trx: Trx,
  jobs: Context['jobs'],
  user: Identity,
  run: NewSourceRun,
): Promise<SourceRun> {
  const row = await insertSourceRun(trx, user, run);
  await jobs.send(sourceRunQueue.name, { runId: row.id }, { db: fromKysely(trx) });
  return toSourceRun(row);
}

/** Returns all unfinished runs and the last 5 finished ones, newest first. */
export async function listSourceRuns(db: Context['db']): Promise<SourceRun[]> {
  return (await listRuns(db, maxFinishedRuns)).map(toSourceRun);
}

/** Continues a failed run after its last batch. @throws 404, and 409 if the run has not failed */
export async function retrySourceRun(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  id: number,
  audit: Audit,
): Promise<SourceRun> {
  return db.transaction().execute(async (trx) => {
    const row = await requeueFailedRun(trx, id, queuedMessage);
    if (!row) {
      if (!(await findRun(trx, id))) throw notFound('change of sources', id);
      throw conflict('Only a change that failed can be retried. Refresh the page.');
    }
    await jobs.send(sourceRunQueue.name, { runId: id }, { db: fromKysely(trx) });
    await audit(trx, { title: row.title });
    return toSourceRun(row);
  });
}

function toSourceRun({ createdAt, finishedAt, ...row }: SourceRunRow): SourceRun {
  return { ...row, dateStarted: createdAt.toISOString(), dateFinished: finishedAt?.toISOString() ?? null };
}
