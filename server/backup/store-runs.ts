import type { Db } from '../db/database.ts';
import { completeRun } from '../jobs/runs.ts';

/** Inserts a scheduled backup. @returns its id; undefined if another one is unfinished */
export async function insertRun(trx: Db, message: string, now: Date): Promise<number | undefined> {
  const row = await trx
    .insertInto('backup_runs')
    .values({ message, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export async function deleteRunsBefore(db: Db, time: Date): Promise<void> {
  await db.deleteFrom('backup_runs').where('created_at', '<', time).where('finished_at', 'is not', null).execute();
}

export async function completeBackup(db: Db, id: number, file: { name: string; bytes: number }): Promise<void> {
  await completeRun(db, 'backup_runs', id, { message: file.name, file_name: file.name, bytes: file.bytes });
}

export type FinishedRun = Awaited<ReturnType<typeof listFinishedRuns>>[number];

/** Returns the last completed backup and the failed ones after it, newest first. */
export async function listFinishedRuns(db: Db) {
  const rows = await db
    .selectFrom('backup_runs')
    .select(['status', 'message', 'bytes', 'file_name as fileName', 'finished_at as finishedAt'])
    .where('status', 'in', ['completed', 'failed'])
    .orderBy('id', 'desc')
    .limit(1000)
    .execute();
  const last = rows.findIndex(({ status }) => status === 'completed');
  return last < 0 ? rows : rows.slice(0, last + 1);
}
