import { sql } from 'kysely';
import type { ImportStatus } from '#shared/imports.ts';
import type { Db } from '../db/database.ts';
import { type RunChanges, toPublicStatus, unfinished } from '../jobs/runs.ts';
import type { RowFailure } from './domain-rows.ts';

const columns = [
  'id',
  'file_name as fileName',
  toPublicStatus<ImportStatus['status']>().as('status'),
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

/** `waiting` is set while an import is queued behind an earlier one. */
function selectImports(db: Db) {
  return db
    .selectFrom('imports')
    .select(columns)
    .select(
      sql<boolean>`status = 'queued' and exists (
        select from imports as earlier
        where earlier.status in ('queued', 'running') and earlier.created_at < imports.created_at
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

/** The user's imports after the id `after`, in the order of their ids. */
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

/** The file of an import, and who gets listed as having added its domains. */
export function findImportedFile(db: Db, id: string) {
  return db
    .selectFrom('imports')
    .select(['file_path as path', 'added_by as addedBy'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The imports that have not ended. */
export function listUnfinished(db: Db) {
  return db.selectFrom('imports').select('file_path as filePath').where('status', 'in', unfinished).execute();
}

export async function updateImporter(db: Db, userId: number, username: string): Promise<void> {
  await db.updateTable('imports').set({ added_by: username }).where('user_id', '=', userId).execute();
}

export interface ImportProgress {
  /** 0 to 99. */
  progress: number;
  /** Rows that were read, good and refused. */
  processedCount: number;
  failedCount: number;
  /** Rows of the file, once it is read. */
  totalCount: number | null;
  imported: number;
  updated: number;
  message: string;
}

export function progressColumns(now: ImportProgress): RunChanges {
  return {
    progress: now.progress,
    processed_count: now.processedCount,
    failed_count: now.failedCount,
    total_count: now.totalCount,
    imported_count: now.imported,
    updated_count: now.updated,
    message: now.message,
  };
}

export async function deleteFailures(db: Db, importId: string): Promise<void> {
  await db.deleteFrom('import_failures').where('import_id', '=', importId).execute();
}

/** One parameter, however many failures: each a line, with tabs between line number, value and reason. */
export async function insertFailures(db: Db, importId: string, failures: readonly RowFailure[]): Promise<void> {
  const lines = failures.map(({ line, value, reason }) => `${line}\t${value}\t${reason}`).join('\n');
  await sql`
    insert into import_failures (import_id, line, value, reason)
    select ${importId}, split_part(row, E'\t', 1)::bigint, split_part(row, E'\t', 2), split_part(row, E'\t', 3)
    from string_to_table(${lines}, E'\n') as row
    on conflict do nothing
  `.execute(db);
}

/** In the order of the file, from after a line. */
export function listFailures(db: Db, importId: string, limit: number, afterLine = 0) {
  return db
    .selectFrom('import_failures')
    .select(['line', 'value', 'reason'])
    .where('import_id', '=', importId)
    .where('line', '>', afterLine)
    .orderBy('line')
    .limit(limit)
    .execute();
}
