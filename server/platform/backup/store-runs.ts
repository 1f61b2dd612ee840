import type { Db } from '../db/database.ts';
import { completeRun } from '../jobs/runs.ts';
import type { BackupRunsTable } from './tables.ts';

/** A scheduled backup, its copy in the bucket, or a test restore. */
export type BackupRunKind = 'backup' | 'copy' | 'test';

/**
 * Inserts a run.
 * @param fileName the existing backup that is copied
 * @returns its id; undefined if another one of its kind is unfinished
 */
export async function insertRun(
  trx: Db,
  { kind, message, fileName, now }: { kind: BackupRunKind; message: string; fileName?: string; now: Date },
): Promise<number | undefined> {
  const row = await trx
    .insertInto('backup_runs')
    .values({ kind, message, file_name: fileName ?? null, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export async function completeBackup(
  db: Db,
  id: number,
  { name, bytes, isSealed }: { name: string; bytes: number; isSealed: boolean },
): Promise<void> {
  await completeRun(db, 'backup_runs', id, { message: name, file_name: name, bytes, is_sealed: isSealed });
}

export async function completeCopy(
  db: Db,
  id: number,
  { name, bytes }: { name: string; bytes: number },
): Promise<void> {
  await completeRun(db, 'backup_runs', id, { message: `Copied ${name}`, bytes });
}

/** The figures of a test restore. */
export interface TestResult {
  name: string;
  bytes: number;
  rows: number;
  tables: number;
  seconds: number;
  isFromBucket: boolean;
}

export async function completeTest(db: Db, id: number, result: TestResult): Promise<void> {
  const { name, bytes, rows, tables, seconds, isFromBucket } = result;
  await completeRun(db, 'backup_runs', id, {
    message: `Restored ${rows.toLocaleString('en')} rows from ${name}`,
    file_name: name,
    bytes,
    row_count: rows,
    table_count: tables,
    seconds,
    is_from_bucket: isFromBucket,
  });
}

export type FinishedRun = Awaited<ReturnType<typeof listFinishedRuns>>[number];

/** Returns the last completed run of a kind and the failed ones after it, newest first. */
export async function listFinishedRuns(db: Db, kind: BackupRunKind) {
  const rows = await db
    .selectFrom('backup_runs')
    .select(['status', 'message', 'refused', 'bytes', 'seconds'])
    .select(['row_count as rows', 'table_count as tables', 'is_from_bucket as isFromBucket'])
    .select(['created_at as createdAt', 'finished_at as finishedAt'])
    .where('kind', '=', kind)
    .where('status', 'in', ['completed', 'failed'])
    .orderBy('id', 'desc')
    .limit(1000)
    .execute();
  const last = rows.findIndex(({ status }) => status === 'completed');
  return last < 0 ? rows : rows.slice(0, last + 1);
}

/** Returns the newest backup that was completed, if it proves where it comes from, and whether it was copied. */
export async function findNewestBackup(db: Db): Promise<{ name: string; isCopied: boolean } | undefined> {
  const backup = await db
    .selectFrom('backup_runs')
    .select(['file_name as name', 'is_sealed as isSealed'])
    .where('kind', '=', 'backup')
    .where('status', '=', 'completed')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  if (!backup?.isSealed || backup.name === null) return undefined;
  const copy = await db
    .selectFrom('backup_runs')
    .select('id')
    .where('kind', '=', 'copy')
    .where('status', '=', 'completed')
    .where('file_name', '=', backup.name)
    .executeTakeFirst();
  return { name: backup.name, isCopied: copy !== undefined };
}

/** Returns an unfinished run's backup. */
export async function findRunFile(db: Db, id: number): Promise<BackupRunsTable['file_name']> {
  const row = await db.selectFrom('backup_runs').select('file_name as name').where('id', '=', id).executeTakeFirst();
  return row?.name ?? null;
}
