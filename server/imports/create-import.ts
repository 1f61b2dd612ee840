import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { fromKysely } from 'pg-boss';
import type { ImportStatus } from '#shared/imports.ts';
import type { Context } from '../context.ts';
import { receiveUpload, type Upload } from '../files/receive-upload.ts';
import { HttpError, invalid } from '../http/errors.ts';
import type { Audit, Identity } from '../http/scope.ts';
import { importQueue } from './jobs.ts';
import { readStatus } from './read-status.ts';
import { insertImport } from './store.ts';

/** Milliseconds between looks at a running import. */
const lookEvery = 60;

/**
 * Takes an uploaded CSV and starts its import. @returns the status after its end, or after `answerWithinMs`
 * Throws 400 and 413 for files that are not taken, and 400 with the `jobId` when the import ends meanwhile because the file
 * cannot be used.
 */
export async function createImport(
  context: Context,
  request: FastifyRequest,
  user: Identity,
  audit: Audit,
): Promise<ImportStatus> {
  const upload = await receiveUpload(request, 'file', context.files, 'File size exceeds the limit (200MB)');
  const id = await startImport(context, upload, user, audit).catch(async (error) => {
    await context.files.remove(upload.path);
    throw error;
  });
  const { refused, ...status } = await awaitEnd(context, id);
  if (refused) throw new HttpError(400, 'invalid', status.message, { ...status });
  return status;
}

/** The row, its job and its act exist together or not at all. */
async function startImport(context: Context, upload: Upload, user: Identity, audit: Audit): Promise<string> {
  if (!/\.csv$/i.test(upload.fileName)) {
    throw invalid('Please upload a CSV file', { file: 'Please upload a CSV file' });
  }
  return context.db.transaction().execute(async (trx) => {
    const importId = await insertImport(trx, {
      userId: user.id,
      addedBy: user.username,
      fileName: upload.fileName,
      filePath: upload.path,
      fileBytes: upload.bytes,
    });
    await context.jobs.send(importQueue.name, { importId }, { db: fromKysely(trx) });
    await audit(trx, { jobId: importId, file: upload.fileName, bytes: upload.bytes });
    return importId;
  });
}

async function awaitEnd(context: Context, id: string) {
  const until = Date.now() + context.answerWithinMs;
  for (;;) {
    const status = await readStatus(context, id);
    if (status.status !== 'processing' || Date.now() >= until) return status;
    await delay(lookEvery);
  }
}
