import { fromKysely } from 'pg-boss';
import {
  type ImportPreview,
  isImportFileName,
  previewImport,
  ReadingOptions,
} from '#shared/blacklist/import-preview.ts';
import { type ImportStatus, uploadImport } from '#shared/blacklist/imports.ts';
import type { Context } from '../../context.ts';
import { isUnreadableFile } from '../../platform/csv/unreadable-file.ts';
import { HttpError, invalid, invalidField } from '../../platform/http/errors.ts';
import type { Call } from '../../platform/http/scope.ts';
import { waitForRun } from '../../platform/jobs/runs.ts';
import { admitUpload, refuseUsedId } from '../../platform/storage/storage.ts';
import { readSources } from '../sources/sources.ts';
import type { previewFile } from './columns.ts';
import { getStatus } from './imports.ts';
import { importQueue } from './jobs.ts';
import { insertImport } from './store.ts';

/**
 * Recognizes the columns of the start of a file.
 * @throws 400 if the upload is rejected or the file is unreadable, 413 if it takes too much memory or time, and 503
 *   while the server reads the files of many others
 */
export async function previewUpload(
  context: Context,
  call: Pick<Call<typeof previewImport>, 'user' | 'request' | 'signal'>,
): Promise<ImportPreview> {
  await using upload = await admitUpload(context, call, { field: previewImport.upload });
  const [{ path, fileName }] = (await upload.receive()).files;
  const turn = { key: `account:${call.user.id}`, signal: call.signal };
  const entry = { module: new URL('./columns.ts', import.meta.url), name: 'previewFile' };
  const { files, processes } = context;
  const folder = await files.createFolder();
  try {
    const task = { path: files.locate(path), fileName, folder: files.locate(folder) };
    return await processes.runInTurn<typeof previewFile>(turn, entry, task);
  } catch (error) {
    throw isUnreadableFile(error) ? invalid(error.message) : error;
  } finally {
    await files.remove(folder);
  }
}

/**
 * Stores an uploaded file and starts its import, or a dry run.
 * @returns the status when the import has finished, or after `respondWithinMs`
 * @throws 400, 413 or 507 if the upload is rejected, and 400 with the `jobId` if the import fails in time because the
 *   file is unreadable
 */
export async function uploadAndImport(
  context: Context,
  call: Pick<Call<typeof uploadImport>, 'request' | 'user' | 'signal' | 'audit'>,
  dryRun: boolean,
): Promise<ImportStatus> {
  const id = await startImport(context, call, dryRun);
  const { refused, ...status } = await waitForRun(() => getStatus(context, id), context.respondWithinMs, call.signal);
  if (refused) throw new HttpError(400, 'invalid', status.message, { extras: { ...status } });
  return status;
}

/**
 * Receives a file, and creates the import, its job and its audit event in one transaction.
 * @throws 400 for another type of file, and for options that cannot be followed
 */
async function startImport(
  context: Context,
  { request, user, audit }: Pick<Call<typeof uploadImport>, 'request' | 'user' | 'audit'>,
  dryRun: boolean,
): Promise<string> {
  const options = { field: uploadImport.upload, isAnalyzed: true, publishes: true };
  await using upload = await admitUpload(context, { user, request }, options);
  const { files, fields } = await upload.receive();
  const [{ path: filePath, bytes: fileBytes, fileName }] = files;
  if (!isImportFileName(fileName)) throw invalidField('file', 'Please upload a CSV file');
  const reading = parseReadingOptions(fields);
  const row = {
    id: upload.id,
    userId: user.id,
    addedBy: user.username,
    fileName,
    filePath,
    fileBytes,
    dryRun,
    reading,
  };
  const id = await context.db
    .transaction()
    .execute(async (trx) => {
      const importId = await insertImport(trx, row);
      await context.jobs.send(importQueue.name, { importId }, { db: fromKysely(trx) });
      await audit(trx, { jobId: importId, file: fileName, bytes: fileBytes });
      return importId;
    })
    .catch(refuseUsedId);
  upload.keep();
  return id;
}

/** Reads the form fields of an upload. @throws 400 if they contradict each other or cannot be read */
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
    const used = [...Object.values(columns), ...(data.mapping?.moreDomains ?? [])];
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
