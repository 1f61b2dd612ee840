import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

const columns = [
  'id',
  'file_name as fileName',
  'status',
  'refused',
  'progress',
  'processed_count as processedCount',
  'imported_count as imported',
  'updated_count as updated',
  'failed_count as failedCount',
  'total_count as totalCount',
  'message',
  'created_at as createdAt',
  'finished_at as finishedAt',
] as const;

export interface NewImport {
  userId: number | null;
  addedBy: string;
  fileName: string;
  filePath: string;
  fileBytes: number;
}

export async function insertImport(db: Db, one: NewImport): Promise<string> {
  const { id } = await db
    .insertInto('imports')
    .values({
      user_id: one.userId,
      added_by: one.addedBy,
      file_name: one.fileName,
      file_path: one.filePath,
      file_bytes: one.fileBytes,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** `waiting` is set while nobody works on it because an earlier import is not done. */
function selectImports(db: Db) {
  return db
    .selectFrom('imports')
    .select(columns)
    .select(
      sql<boolean>`status = 'processing' and attempts = 0 and exists (
        select from imports as earlier where earlier.status = 'processing' and earlier.created_at < imports.created_at
      )`.as('waiting'),
    );
}

export function findImport(db: Db, id: string) {
  return selectImports(db).where('id', '=', id).executeTakeFirst();
}

export type ImportRow = NonNullable<Awaited<ReturnType<typeof findImport>>>;

/** The newest first. */
export function listImports(db: Db, limit: number) {
  return selectImports(db).orderBy('created_at', 'desc').limit(limit).execute();
}

/** Counts a start of the work. @returns what is to be done, undefined when the import has ended or is gone */
export function beginAttempt(db: Db, id: string) {
  return db
    .updateTable('imports')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), progress: 0, imported_count: 0, updated_count: 0 }))
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .returning(['id', 'file_path as filePath', 'added_by as addedBy', 'attempts'])
    .executeTakeFirst();
}

/** Takes a start back that ended without fault of the file, so that it does not count. */
export async function giveBackAttempt(db: Db, id: string): Promise<void> {
  await db
    .updateTable('imports')
    .set((eb) => ({ attempts: eb('attempts', '-', 1), message: '' }))
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .where('attempts', '>', 0)
    .execute();
}

export interface Progress {
  /** 0 to 99. */
  progress: number;
  processedCount: number;
  failedCount: number;
  totalCount: number | null;
  imported: number;
  updated: number;
  message: string;
}

export async function updateProgress(db: Db, id: string, now: Progress): Promise<void> {
  await db
    .updateTable('imports')
    .set({ ...countsOf(now), progress: now.progress, message: now.message })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .execute();
}

/** @returns false when the import had ended already: the caller's work must not count a second time */
export async function completeImport(db: Db, id: string, end: Progress, finishedAt: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({ ...countsOf(end), status: 'completed', progress: 100, message: end.message, finished_at: finishedAt })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** `refused`: the file is at fault. */
export async function failImport(db: Db, id: string, message: string, refused: boolean, finishedAt: Date) {
  await db
    .updateTable('imports')
    .set({ status: 'failed', refused, message, imported_count: 0, updated_count: 0, finished_at: finishedAt })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .execute();
}

function countsOf(now: Progress) {
  return {
    processed_count: now.processedCount,
    failed_count: now.failedCount,
    total_count: now.totalCount,
    imported_count: now.imported,
    updated_count: now.updated,
  };
}

/** Files that an import still needs. */
export async function listFilesInUse(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('imports').select('file_path').where('status', '=', 'processing').execute();
  return rows.map((row) => row.file_path);
}

/** The user's imports behind the id `after`, in the order of their ids. */
export function listImportsOf(db: Db, userId: number, after: string | undefined, limit: number) {
  return db
    .selectFrom('imports')
    .select(columns)
    .where('user_id', '=', userId)
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function updateImporter(db: Db, userId: number, username: string): Promise<void> {
  await db.updateTable('imports').set({ added_by: username }).where('user_id', '=', userId).execute();
}
