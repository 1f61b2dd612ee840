import { fromKysely } from 'pg-boss';
import type { MaintenanceRun } from '#shared/operations/admin.ts';
import type { Context } from '../../context.ts';
import type { Audit, Identity } from '../../platform/http/scope.ts';
import { maintenanceQueue, maintenanceRunKind } from './jobs.ts';
import { findUnfinished, insertRun, listRuns, type MaintenanceRow } from './store-maintenance.ts';

const maxListedRuns = 10;

/** Starts a maintenance run, or returns the unfinished one if another request has already started it. */
export async function startMaintenance(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  user: Identity,
  audit: Audit,
): Promise<MaintenanceRun> {
  const started = await db.transaction().execute(async (trx) => {
    const row = await insertRun(trx, { userId: user.id, username: user.username }, maintenanceRunKind.queuedMessage);
    if (!row) return undefined;
    await jobs.send(maintenanceQueue.name, { runId: row.id }, { db: fromKysely(trx) });
    await audit(trx, { run: row.id });
    return row;
  });
  if (started) return toMaintenanceRun(started);
  const running = await findUnfinished(db);
  // The other run finished between the two queries.
  if (!running) return startMaintenance({ db, jobs }, user, audit);
  await audit(db, { run: running.id, joined: true });
  return toMaintenanceRun(running);
}

/** Returns the last 10 runs, newest first. */
export async function listMaintenanceRuns(db: Context['db']): Promise<MaintenanceRun[]> {
  return (await listRuns(db, maxListedRuns)).map(toMaintenanceRun);
}

function toMaintenanceRun({ createdAt, finishedAt, ...row }: MaintenanceRow): MaintenanceRun {
  return { ...row, dateStarted: createdAt.toISOString(), dateFinished: finishedAt?.toISOString() ?? null };
}
