import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { fromKysely } from 'pg-boss';
import {
  exportImportFailures,
  getImportStatus,
  type ImportStatus,
  listImports,
  uploadImport,
} from '#shared/imports.ts';
import type { Context } from '../context.ts';
import { writeCsv } from '../csv/write-csv.ts';
import { receiveUpload, type UploadedFile } from '../files/receive-upload.ts';
import { HttpError, invalidField, notFound } from '../http/errors.ts';
import { attachment } from '../http/headers.ts';
import { type Audit, type Identity, route, type Scope } from '../http/scope.ts';
import { waitForRun } from '../jobs/runs.ts';
import { importQueue } from './jobs.ts';
import * as store from './store.ts';

/** Rejected rows that a status contains. The CSV download contains all that are stored. */
const maxShownFailures = 100;
const maxShownImports = 20;
const failuresPerQuery = 5000;

export const importRoutes = {
  admin(scope: Scope<'admin'>, context: Context): void {
    const { db, now } = context;

    route(scope, uploadImport, async ({ request, reply, user, signal, audit }) => {
      const status = await uploadAndImport(context, request, user, signal, audit);
      if (status.status === 'processing') reply.code(202);
      return status;
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
 * Stores an uploaded CSV file and starts its import.
 * @returns the status when the import has finished, or after `respondWithinMs`
 * @throws 400 or 413 if the upload is rejected, and 400 with the `jobId` if the import fails in time because the file
 *   is unreadable
 */
async function uploadAndImport(
  context: Context,
  request: FastifyRequest,
  user: Identity,
  signal: AbortSignal,
  audit: Audit,
): Promise<ImportStatus> {
  const upload = await receiveUpload(request, uploadImport.upload, context.files);
  const id = await startImport(context, upload, user, audit).catch(async (error) => {
    await context.files.remove(upload.path);
    throw error;
  });
  const { refused, ...status } = await waitForRun(() => getStatus(context, id), context.respondWithinMs, signal);
  if (refused) throw new HttpError(400, 'invalid', status.message, { ...status });
  return status;
}

/**
 * Creates the import, its job and its audit event in one transaction. Throws 400 if the file name does not end in .csv.
 */
async function startImport(context: Context, upload: UploadedFile, user: Identity, audit: Audit): Promise<string> {
  const { path: filePath, bytes: fileBytes, fileName } = upload;
  if (!/\.csv$/i.test(fileName)) throw invalidField('file', 'Please upload a CSV file');
  return context.db.transaction().execute(async (trx) => {
    const row = { userId: user.id, addedBy: user.username, fileName, filePath, fileBytes };
    const importId = await store.insertImport(trx, row);
    await context.jobs.send(importQueue.name, { importId }, { db: fromKysely(trx) });
    await audit(trx, { jobId: importId, file: fileName, bytes: fileBytes });
    return importId;
  });
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

/** Yields all stored failures of an import, in the order of the file. */
async function* failedRows({ db }: Context, id: string) {
  let line = 0;
  for (;;) {
    const failures = await store.listFailures(db, id, failuresPerQuery, line);
    for (const failure of failures) yield [failure.line, failure.value, failure.reason];
    line = failures.at(-1)?.line ?? line;
    if (failures.length < failuresPerQuery) return;
  }
}
