import { type DisavowFile, maxDisavowUploadsPerHour } from '#shared/reports/disavow-files.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { UploadedFile } from '../../platform/storage/receive.ts';
import { recordUse } from '../../platform/throttle/throttle.ts';
import { getOwnWebsite } from '../websites/websites.ts';
import {
  type addFile,
  type buildFile,
  type buildFirstFile,
  type DownloadTask,
  type FileKey,
  type NewDisavowFile,
  type ReadTask,
  type readFile,
  type readNewFile,
  type TextFile,
  toFile,
} from './read-files.ts';
import * as store from './store.ts';

const module = new URL('./read-files.ts', import.meta.url);
const toTurn = (userId: number, signal: AbortSignal) => ({ key: `account:${userId}`, signal });

/** Records an upload. @throws 429 after too many in the last hour */
export const recordUpload = ({ db, now }: Pick<Context, 'db' | 'now'>, userId: number): Promise<void> =>
  recordUse(
    db,
    {
      key: `disavow-upload:${userId}`,
      maxPerHour: maxDisavowUploadsPerHour,
      limitMessage: 'You have uploaded too many disavow files in the last hour. Try again later.',
    },
    now(),
  );

/** Returns the files of the user's website, newest first. @throws 404 if it is not the user's */
export async function listDisavowFiles(db: Db, userId: number, websiteId: number): Promise<DisavowFile[]> {
  await getOwnWebsite(db, userId, websiteId);
  return (await store.listFiles(db, userId, websiteId)).map(toFile);
}

/** Deletes a file. */
export async function deleteDisavowFile(db: Db, { userId, websiteId, id }: FileKey): Promise<void> {
  if (!(await store.deleteFile(db, userId, websiteId, id))) throw notFound('disavow file', id);
}

type ReadContext = Pick<Context, 'now' | 'processes'>;

/**
 * Stores an uploaded disavow file of a website and compares it with the user's decisions.
 * @returns the JSON of a DisavowReview
 * @throws 400 for a file that is not a disavow file, 404 if it is not the user's website, and 409 for too many files
 * @throws what `requireRoom` and `files.withCopies` throw
 */
export function addDisavowFile(
  { config, files, now, processes }: ReadContext & Pick<Context, 'config' | 'files'>,
  { userId, websiteId }: Omit<FileKey, 'id'>,
  { path, bytes, fileName }: Pick<UploadedFile, 'path' | 'bytes' | 'fileName'>,
  signal: AbortSignal,
): Promise<string> {
  const { storageLimitBytes, websiteLimit, sessionLimit } = config;
  const limits = { storageLimitBytes, websiteLimit, sessionLimit };
  return files.withCopies([path], signal, ([copy = path]) => {
    const task = { userId, websiteId, file: { path: copy, bytes, fileName }, limits, now: now() };
    return processes.runInTurn<typeof addFile>(toTurn(userId, signal), { module, name: 'addFile' }, task);
  });
}

/**
 * Reads an uploaded disavow file of a website, which `storeNewFile` can store in a transaction that has not waited for
 * that.
 * @throws 400 for a file that is not a disavow file, 404 if it is not the user's website
 * @throws what `files.withCopies` throws
 */
export function readNewDisavowFile(
  { files, now, processes }: ReadContext & Pick<Context, 'files'>,
  { userId, websiteId }: Omit<FileKey, 'id'>,
  { path, bytes, fileName }: Pick<UploadedFile, 'path' | 'bytes' | 'fileName'>,
  signal: AbortSignal,
): Promise<NewDisavowFile> {
  return files.withCopies([path], signal, ([copy = path]) => {
    const task = { userId, websiteId, file: { path: copy, bytes, fileName }, now: now() };
    return processes.runInTurn<typeof readNewFile>(toTurn(userId, signal), { module, name: 'readNewFile' }, task);
  });
}

/** Returns the JSON of a response about a file, as `ReadTask` describes. */
export function readDisavowFile(
  { now, processes }: ReadContext,
  key: FileKey,
  part: ReadTask['part'],
  signal: AbortSignal,
): Promise<string> {
  const task = { key, part, now: now() };
  return processes.runInTurn<typeof readFile>(toTurn(key.userId, signal), { module, name: 'readFile' }, task);
}

/** Builds the merged file or the take-back list, or returns the original with its line ends and invalid lines. */
export function buildDisavowDownload(
  { now, processes }: ReadContext,
  key: FileKey,
  name: DownloadTask['name'],
  signal: AbortSignal,
): Promise<TextFile> {
  const task = { key, name, now: now() };
  return processes.runInTurn<typeof buildFile>(toTurn(key.userId, signal), { module, name: 'buildFile' }, task);
}

/**
 * Returns the newest file of a website merged with the decisions of now. Without an uploaded file, it has only the
 * domains that the user decided to disavow.
 * @throws 404 if it is not the user's website
 */
export async function buildNewestFile(
  context: ReadContext & Pick<Context, 'db'>,
  userId: number,
  websiteId: number,
  signal: AbortSignal,
): Promise<TextFile & { isMerged: boolean }> {
  const [newest] = await listDisavowFiles(context.db, userId, websiteId);
  const file = newest
    ? await buildDisavowDownload(context, { userId, websiteId, id: newest.id }, 'merged', signal)
    : await context.processes.runInTurn<typeof buildFirstFile>(
        toTurn(userId, signal),
        { module, name: 'buildFirstFile' },
        { userId, websiteId, now: context.now() },
      );
  return { ...file, isMerged: newest !== undefined };
}
