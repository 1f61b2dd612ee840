import type { ImportStatus } from '#shared/imports.ts';
import type { Context } from '../context.ts';
import { notFound } from '../http/errors.ts';
import { findImport, type ImportRow, listImports } from './store.ts';
import { listFailures } from './store-failures.ts';

/** Failed rows that a status carries; all of them are in the CSV. */
const shownFailures = 100;
const shownImports = 20;

/** How far an import is. Throws 404 for an unknown one. */
export async function readStatus(context: Context, id: string): Promise<ImportStatus & { refused: boolean }> {
  const found = await findImport(context.db, id);
  if (!found) throw notFound('import', id);
  const failures = found.failedCount > 0 ? await listFailures(context.db, id, shownFailures) : [];
  return { ...statusOf(found, context.now()), failures, refused: found.refused };
}

/** The last imports, newest first, without their failures. */
export async function listRecent(context: Context): Promise<ImportStatus[]> {
  const rows = await listImports(context.db, shownImports);
  return rows.map((row) => statusOf(row, context.now()));
}

function statusOf(row: ImportRow, now: Date): ImportStatus {
  const milliseconds = Math.max(0, (row.finishedAt ?? now).getTime() - row.createdAt.getTime());
  return {
    jobId: row.id,
    status: row.status,
    progress: row.progress,
    processedCount: row.processedCount,
    imported: row.imported,
    updated: row.updated,
    failedCount: row.failedCount,
    totalCount: row.totalCount,
    timeTaken: Math.round(milliseconds / 100) / 10,
    message: row.waiting ? 'Waiting for another import to finish.' : row.message || 'Waiting to start.',
    fileName: row.fileName,
    dateCreated: row.createdAt.toISOString(),
    failures: [],
  };
}
