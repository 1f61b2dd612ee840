import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { fromKysely } from 'pg-boss';
import { exportImportFailures, type ImportStatus, importStatus, listImports, uploadImport } from '#shared/imports.ts';
import type { Context } from '../context.ts';
import { writeCsv } from '../csv/write-csv.ts';
import { receiveUpload, type Upload } from '../files/receive-upload.ts';
import { HttpError, invalidField, notFound } from '../http/errors.ts';
import { attachment } from '../http/headers.ts';
import { type Audit, type Identity, route, type Scope } from '../http/scope.ts';
import { waitForRun } from '../jobs/runs.ts';
import { importQueue } from './jobs.ts';
import * as store from './store.ts';

/** Refused rows that a status contains; all of them are in the CSV. */
const shownFailures = 100;
const shownImports = 20;
const failuresAtOnce = 5000;

export const importRoutes = {
  admin(scope: Scope<'admin'>, context: Context): void {
    const { db, now } = context;

    route(scope, uploadImport, async ({ request, reply, user, signal, audit }) => {
      const status = await uploadAndImport(context, request, user, signal, audit);
      if (status.status === 'processing') reply.code(202);
      return status;
    });

    route(scope, importStatus, ({ params }) => getStatus(context, params.jobId));

    route(scope, listImports, async () =>
      (await store.listImports(db, shownImports)).map((row) => statusOf(row, now())),
    );

    route(scope, exportImportFailures, async ({ params, reply }) => {
      if (!(await store.findImport(db, params.jobId))) throw notFound('import', params.jobId);
      const csv = writeCsv(['Line', 'Value', 'Reason'], failedRows(context, params.jobId));
      return attachment(reply, 'import-failures.csv', 'text/csv').send(Readable.from(csv, { objectMode: false }));
    });
  },
};

/**
 * Takes an uploaded CSV and starts its import. @returns the status after its end, or after `respondWithinMs`
 * Throws 400 and 413 for files that are not taken, and 400 with the `jobId` when the import ends meanwhile because the file
 * cannot be used.
 */
async function uploadAndImport(
  context: Context,
  request: FastifyRequest,
  user: Identity,
  gone: AbortSignal,
  audit: Audit,
): Promise<ImportStatus> {
  const upload = await receiveUpload(request, uploadImport.upload, context.files);
  const id = await startImport(context, upload, user, audit).catch(async (error) => {
    await context.files.remove(upload.path);
    throw error;
  });
  const { refused, ...status } = await waitForRun(() => getStatus(context, id), context.respondWithinMs, gone);
  if (refused) throw new HttpError(400, 'invalid', status.message, { ...status });
  return status;
}

/** The row, its job and its act exist together or not at all. */
async function startImport(context: Context, upload: Upload, user: Identity, audit: Audit): Promise<string> {
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

/** How far an import is. Throws 404 for an unknown one. */
async function getStatus({ db, now }: Context, id: string): Promise<ImportStatus & { refused: boolean }> {
  const found = await store.findImport(db, id);
  if (!found) throw notFound('import', id);
  const failures = found.failedCount > 0 ? await store.listFailures(db, id, shownFailures) : [];
  return { ...statusOf(found, now()), failures, refused: found.refused };
}

function statusOf(row: store.ImportRow, now: Date): ImportStatus {
  const { id, createdAt, finishedAt, waiting, message, refused: _, ...status } = row;
  const milliseconds = Math.max(0, (finishedAt ?? now).getTime() - createdAt.getTime());
  return {
    ...status,
    jobId: id,
    timeTaken: Math.round(milliseconds / 100) / 10,
    message: waiting ? 'Waiting for another import to finish.' : message || 'Waiting to start.',
    dateCreated: createdAt.toISOString(),
    failures: [],
  };
}

/** All refused rows of an import, in the order of the file. */
async function* failedRows({ db }: Context, id: string) {
  let line = 0;
  for (;;) {
    const failures = await store.listFailures(db, id, failuresAtOnce, line);
    for (const failure of failures) yield [failure.line, failure.value, failure.reason];
    line = failures.at(-1)?.line ?? line;
    if (failures.length < failuresAtOnce) return;
  }
}
