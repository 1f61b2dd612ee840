import type { ImportStatus } from '#shared/blacklist/imports.ts';
import type { Context } from '../../context.ts';
import { writeCsv } from '../../platform/csv/write-csv.ts';
import type { Db } from '../../platform/db/database.ts';
import { conflict, notFound } from '../../platform/http/errors.ts';
import type { Audit, Identity } from '../../platform/http/scope.ts';
import { cancelRun } from '../../platform/jobs/runs.ts';
import { type ImportContext, runImport } from './jobs.ts';
import * as store from './store.ts';

/** Rejected rows that a status contains. The CSV download contains all that are stored. */
const maxShownFailures = 100;
const maxShownImports = 20;
const failuresPerQuery = 5000;

/**
 * Imports a stored file immediately instead of queueing it, for a process that fills a database before it serves.
 * Removes the file.
 * @throws with the import's message if it fails
 */
export async function importStoredFile(
  context: ImportContext,
  file: { path: string; bytes: number; fileName: string },
  user: Pick<Identity, 'id' | 'username'>,
): Promise<void> {
  const { db } = context;
  const { path: filePath, bytes: fileBytes, fileName } = file;
  const id = await store.insertImport(db, { userId: user.id, addedBy: user.username, fileName, filePath, fileBytes });
  await runImport(context, id, new AbortController().signal);
  const finished = await store.findImport(db, id);
  if (finished?.status !== 'completed') throw new Error(`The import of ${fileName} failed: ${finished?.message}`);
}

/** Returns the paths of the uploaded files that unfinished imports still need. */
export async function listImportFiles(db: Db): Promise<string[]> {
  return (await store.listUnfinished(db)).map(({ filePath }) => filePath);
}

/** Returns the last 20 imports, newest first, without their failures. */
export async function listStatuses({ db, now }: Pick<Context, 'db' | 'now'>): Promise<ImportStatus[]> {
  return (await store.listImports(db, maxShownImports)).map((row) => toStatus(row, now()));
}

/**
 * Cancels an import, which then changes nothing.
 * @throws 404 if it does not exist, 409 if it has finished
 */
export async function cancelImport(db: Db, id: string, audit: Audit): Promise<void> {
  const { fileName } = await getRow(db, id);
  await db.transaction().execute(async (trx) => {
    const isCanceled = await cancelRun(trx, 'imports', id, 'Canceled. Nothing was imported.');
    if (!isCanceled) throw conflict('This import has already finished.');
    await audit(trx, { file: fileName });
  });
}

/** Writes all stored failures of an import as CSV. @throws 404 if the import does not exist */
export async function exportFailures(db: Db, id: string): Promise<AsyncIterable<string>> {
  await getRow(db, id);
  return writeCsv(['Line', 'Value', 'Reason'], failedRows(db, id));
}

/**
 * Returns the status of an import with its first failures and, of a check, the first rows that would be held.
 * @throws 404 if it does not exist
 */
export async function getStatus(
  { db, now }: Pick<Context, 'db' | 'now'>,
  id: string,
): Promise<ImportStatus & { refused: boolean }> {
  const found = await getRow(db, id);
  const { failedCount, heldCount, dryRun, refused } = found;
  const limit = maxShownFailures;
  const failures = failedCount > 0 ? await store.listFailures(db, id, { limit }) : [];
  const held = dryRun && heldCount > 0 ? await store.listFailures(db, id, { limit, areHeld: true }) : [];
  return { ...toStatus(found, now()), failures, held, refused };
}

function toStatus(row: store.ImportRow, now: Date): ImportStatus {
  const { id, createdAt, finishedAt, isWaiting, message, refused: _, ...status } = row;
  const milliseconds = Math.max(0, (finishedAt ?? now).getTime() - createdAt.getTime());
  return {
    ...status,
    jobId: id,
    timeTaken: Math.round(milliseconds / 100) / 10,
    message: isWaiting ? 'Waiting for another import to finish' : message || 'Waiting to start',
    dateCreated: createdAt.toISOString(),
    failures: [],
    held: [],
  };
}

/** Yields all stored failures of an import, in the order of the file. @throws 404 if it was deleted meanwhile */
async function* failedRows(db: Db, id: string) {
  let line = 0;
  for (;;) {
    const failures = await store.listFailures(db, id, { limit: failuresPerQuery, afterLine: line });
    for (const failure of failures) yield [failure.line, failure.value, failure.reason];
    line = failures.at(-1)?.line ?? line;
    if (failures.length < failuresPerQuery) break;
  }
  if (!(await store.findImport(db, id))) throw notFound('import', id);
}

async function getRow(db: Db, id: string): Promise<store.ImportRow> {
  const row = await store.findImport(db, id);
  if (!row) throw notFound('import', id);
  return row;
}
