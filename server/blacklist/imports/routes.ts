import { Readable } from 'node:stream';
import { fromKysely } from 'pg-boss';
import {
  cancelImport,
  checkImport,
  type ImportPreview,
  isImportFileName,
  previewImport,
  ReadingOptions,
} from '#shared/blacklist/import-preview.ts';
import {
  exportImportFailures,
  getImportStatus,
  type ImportStatus,
  listImports,
  uploadImport,
} from '#shared/blacklist/imports.ts';
import type { Context } from '../../context.ts';
import { isUnreadableFile } from '../../platform/csv/unreadable-file.ts';
import { writeCsv } from '../../platform/csv/write-csv.ts';
import type { UploadedFile } from '../../platform/files/receive-upload.ts';
import { conflict, HttpError, invalid, invalidField, notFound } from '../../platform/http/errors.ts';
import { attachment } from '../../platform/http/headers.ts';
import { type Audit, type Call, type Identity, route, type Scope } from '../../platform/http/scope.ts';
import { cancelRun, waitForRun } from '../../platform/jobs/runs.ts';
import { type AdmittedUpload, withUploads } from '../../platform/storage/storage.ts';
import { readSources } from '../sources/sources.ts';
import type { previewFile } from './columns.ts';
import { importQueue } from './jobs.ts';
import * as store from './store.ts';

/** Rejected rows that a status contains. The CSV download contains all that are stored. */
const maxShownFailures = 100;
const maxShownImports = 20;
const failuresPerQuery = 5000;

export const importRoutes = {
  admin(scope: Scope<'admin'>, context: Context): void {
    const { db, now } = context;

    for (const endpoint of [uploadImport, checkImport]) {
      route(scope, endpoint, async (call) => {
        const status = await uploadAndImport(context, call, endpoint === checkImport);
        if (status.status === 'processing') call.reply.code(202);
        return status;
      });
    }

    route(scope, previewImport, (call) => previewUpload(context, call));

    route(scope, cancelImport, async ({ params, audit }) => {
      const found = await store.findImport(db, params.jobId);
      if (!found) throw notFound('import', params.jobId);
      await db.transaction().execute(async (trx) => {
        const isCanceled = await cancelRun(trx, 'imports', params.jobId, 'Canceled. Nothing was imported.');
        if (!isCanceled) throw conflict('This import has already finished.');
        await audit(trx, { file: found.fileName });
      });
    });

    route(scope, getImportStatus, ({ params }) => getStatus(context, params.jobId));

    route(scope, listImports, async () =>
      (await store.listImports(db, maxShownImports)).map((row) => toStatus(row, now())),
    );

    route(scope, exportImportFailures, async ({ params, reply }) => {
      if (!(await store.findImport(db, params.jobId))) throw notFound('import', params.jobId);
      const csv = writeCsv(['Line', 'Value', 'Reason'], failedRows(context, params.jobId));
      return attachment(reply, 'import-failures.csv', 'text/csv').send(Readable.from(csv, { objectMode: false }));
    });
  },
};

/**
 * Recognizes the columns of the start of a file. Throws 400 if the upload is rejected or the file is unreadable, 413 if it
 * takes too much memory or time, and 503 while the server reads the files of many others.
 */
function previewUpload(
  context: Context,
  call: Pick<Call<typeof previewImport>, 'user' | 'request' | 'signal'>,
): Promise<ImportPreview> {
  return withUploads(context, call, { field: previewImport.upload }, async ({ files: [{ path }] }) => {
    const turn = { key: `account:${call.user.id}`, signal: call.signal };
    const entry = { module: new URL('./columns.ts', import.meta.url), name: 'previewFile' };
    try {
      return await context.processes.runInTurn<typeof previewFile>(turn, entry, context.files.locate(path));
    } catch (error) {
      throw isUnreadableFile(error) ? invalid(error.message) : error;
    }
  });
}

/**
 * Stores an uploaded file and starts its import, or a dry run.
 * @returns the status when the import has finished, or after `respondWithinMs`
 * @throws 400, 413 or 507 if the upload is rejected, and 400 with the `jobId` if the import fails in time because the
 *   file is unreadable
 */
async function uploadAndImport(
  context: Context,
  call: Pick<Call<typeof uploadImport>, 'request' | 'user' | 'signal' | 'audit'>,
  dryRun: boolean,
): Promise<ImportStatus> {
  const options = { field: uploadImport.upload, isAnalyzed: true, keepFiles: true };
  const id = await withUploads(context, call, options, ({ files: [file], fields, id }) =>
    startImport(context, { ...file, fields, id }, dryRun, call.user, call.audit),
  );
  const { refused, ...status } = await waitForRun(() => getStatus(context, id), context.respondWithinMs, call.signal);
  if (refused) throw new HttpError(400, 'invalid', status.message, { ...status });
  return status;
}

/**
 * Creates the import, its job and its audit event in one transaction. Throws 400 for another type of file, and for
 * options that cannot be followed.
 */
async function startImport(
  context: Context,
  { path: filePath, bytes: fileBytes, fileName, fields, id }: UploadedFile & Pick<AdmittedUpload, 'fields' | 'id'>,
  dryRun: boolean,
  user: Identity,
  audit: Audit,
): Promise<string> {
  if (!isImportFileName(fileName)) throw invalidField('file', 'Please upload a CSV file');
  const reading = parseReadingOptions(fields);
  return context.db.transaction().execute(async (trx) => {
    const row = { id, userId: user.id, addedBy: user.username, fileName, filePath, fileBytes, dryRun, reading };
    const importId = await store.insertImport(trx, row);
    await context.jobs.send(importQueue.name, { importId }, { db: fromKysely(trx) });
    await audit(trx, { jobId: importId, file: fileName, bytes: fileBytes });
    return importId;
  });
}

/** Reads the form fields of an upload. Throws 400 if they contradict each other or cannot be read. */
function parseReadingOptions({ mapping, defaultSource, defaultKind }: Record<string, string>): ReadingOptions {
  const options = ReadingOptions.safeParse({
    mapping: mapping ? parseJson(mapping) : undefined,
    defaultSource: defaultSource?.trim() || undefined,
    defaultKind: defaultKind || undefined,
  });
  if (!options.success) {
    const field = String(options.error.issues[0]?.path[0]);
    throw invalidField(field, `The field ${field} is invalid.`);
  }
  const { data } = options;
  if (data.defaultSource !== undefined) {
    const read = readSources(data.defaultSource);
    if ('reason' in read) throw invalidField('defaultSource', read.reason);
  }
  const columns = data.mapping?.columns;
  if (columns) {
    if (columns.domain === undefined) throw invalidField('mapping', 'Choose the column that contains the domains.');
    if (columns.source === undefined && data.defaultSource === undefined)
      throw invalidField('defaultSource', 'Enter the source, or choose the column that contains it.');
    const used = Object.values(columns);
    if (new Set(used).size < used.length) throw invalidField('mapping', 'Each column can be read as one field only.');
  }
  return data;
}

/** Returns the value of a JSON text; the text itself if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns the status of an import with its first failures. Throws 404 if it does not exist. */
async function getStatus({ db, now }: Context, id: string): Promise<ImportStatus & { refused: boolean }> {
  const found = await store.findImport(db, id);
  if (!found) throw notFound('import', id);
  const failures = found.failedCount > 0 ? await store.listFailures(db, id, maxShownFailures) : [];
  return { ...toStatus(found, now()), failures, refused: found.refused };
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
  };
}

/** Yields all stored failures of an import, in the order of the file. Throws 404 if it was deleted meanwhile. */
async function* failedRows({ db }: Context, id: string) {
  let line = 0;
  for (;;) {
    const failures = await store.listFailures(db, id, failuresPerQuery, line);
    for (const failure of failures) yield [failure.line, failure.value, failure.reason];
    line = failures.at(-1)?.line ?? line;
    if (failures.length < failuresPerQuery) break;
  }
  if (!(await store.findImport(db, id))) throw notFound('import', id);
}
