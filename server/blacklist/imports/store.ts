import { sql } from 'kysely';
import type { ReadingOptions } from '#shared/blacklist/import-preview.ts';
import type { ImportStatus } from '#shared/blacklist/imports.ts';
import type { Db } from '../../platform/db/database.ts';
import { type RunChanges, toPublicMessage, toPublicStatus, unfinished } from '../../platform/jobs/runs.ts';
import type { RowFailure } from './file-row.ts';

const columns = [
  'id',
  'file_name as fileName',
  'dry_run as dryRun',
  toPublicStatus<ImportStatus['status']>().as('status'),
  'refused',
  'progress',
  'processed_count as processedCount',
  'imported_count as imported',
  'updated_count as updated',
  'unchanged_count as unchangedCount',
  'failed_count as failedCount',
  'held_count as heldCount',
  'total_count as totalCount',
  toPublicMessage().as('message'),
  'created_at as createdAt',
  'finished_at as finishedAt',
] as const;

export interface NewImport {
  /** By default, the database chooses one. */
  id?: string | undefined;
  userId: number | null;
  addedBy: string;
  fileName: string;
  filePath: string;
  fileBytes: number;
  dryRun?: boolean;
  reading?: ReadingOptions;
}

export async function insertImport(db: Db, newImport: NewImport): Promise<string> {
  const { id } = await db
    .insertInto('imports')
    .values({
      ...(newImport.id !== undefined && { id: newImport.id }),
      user_id: newImport.userId,
      added_by: newImport.addedBy,
      file_name: newImport.fileName,
      file_path: newImport.filePath,
      file_bytes: newImport.fileBytes,
      dry_run: newImport.dryRun ?? false,
      reading: JSON.stringify(newImport.reading ?? {}),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** `isWaiting` is true while an import is queued behind an earlier newImport. */
function selectImports(db: Db) {
  return db
    .selectFrom('imports')
    .select(columns)
    .select(
      sql<boolean>`status = 'queued' and exists (
        select from imports as earlier
        where earlier.status in ('queued', 'running') and earlier.created_at < imports.created_at
      )`.as('isWaiting'),
    );
}

export function findImport(db: Db, id: string) {
  return selectImports(db).where('id', '=', id).executeTakeFirst();
}

export type ImportRow = NonNullable<Awaited<ReturnType<typeof findImport>>>;

/** Returns the newest imports first. */
export function listImports(db: Db, limit: number) {
  return selectImports(db).orderBy('created_at', 'desc').limit(limit).execute();
}

/** Returns the user's imports after the id `after`, in the order of their ids. */
export function listImportsOfUser(db: Db, userId: number, after: string | undefined, limit: number) {
  return db
    .selectFrom('imports')
    .select(columns)
    .where('user_id', '=', userId)
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Finds the file of an import, how to read it, and the username that becomes `added_by` of its new domains. */
export function findImportedFile(db: Db, id: string) {
  return db
    .selectFrom('imports')
    .select([
      'file_path as path',
      'file_name as fileName',
      'reading',
      'dry_run as dryRun',
      'added_by as addedBy',
      'user_id as userId',
    ])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Returns the files of the imports that are queued or running. */
export function listUnfinished(db: Db) {
  return db.selectFrom('imports').select('file_path as filePath').where('status', 'in', unfinished).execute();
}

export async function updateImporter(db: Db, userId: number, username: string): Promise<void> {
  await db.updateTable('imports').set({ added_by: username }).where('user_id', '=', userId).execute();
}

export interface ImportProgress {
  /** 0 to 99. */
  progress: number;
  /** Rows read so far, good and rejected. */
  processedCount: number;
  failedCount: number;
  /** Rows that wait for an admin's decision. */
  heldCount: number;
  /** Rows of the file; null until it has been read. */
  totalCount: number | null;
  imported: number;
  updated: number;
  unchanged: number;
  message: string;
}

export function progressColumns(progress: ImportProgress): RunChanges {
  return {
    progress: progress.progress,
    processed_count: progress.processedCount,
    failed_count: progress.failedCount,
    held_count: progress.heldCount,
    total_count: progress.totalCount,
    imported_count: progress.imported,
    updated_count: progress.updated,
    unchanged_count: progress.unchanged,
    message: progress.message,
  };
}

export async function deleteFailures(db: Db, importId: string): Promise<void> {
  await db.deleteFrom('import_failures').where('import_id', '=', importId).execute();
}

/**
 * Inserts any number of failures with one parameter: one failure per line, with tabs between line number, value and
 * reason.
 * @param isHeld whether the rows would be held for review
 */
export async function insertFailures(
  db: Db,
  importId: string,
  failures: readonly RowFailure[],
  isHeld = false,
): Promise<void> {
  const lines = failures.map(({ line, value, reason }) => `${line}\t${value}\t${reason}`).join('\n');
  await sql`
    insert into import_failures (import_id, line, value, reason, is_held)
    select ${importId}, split_part(row, E'\t', 1)::bigint, split_part(row, E'\t', 2), split_part(row, E'\t', 3),
      ${isHeld}::boolean
    from string_to_table(${lines}, E'\n') as row
    on conflict do nothing
  `.execute(db);
}

/** Returns the failures after a line, or the rows that would be held, in the order of the file. */
export function listFailures(
  db: Db,
  importId: string,
  { limit, afterLine = 0, areHeld = false }: { limit: number; afterLine?: number; areHeld?: boolean },
) {
  return db
    .selectFrom('import_failures')
    .select(['line', 'value', 'reason'])
    .where('import_id', '=', importId)
    .where('is_held', '=', areHeld)
    .where('line', '>', afterLine)
    .orderBy('line')
    .limit(limit)
    .execute();
}
