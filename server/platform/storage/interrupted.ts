import { stat } from 'node:fs/promises';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { uploadHeaders } from '#shared/platform/uploads.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../db/database.ts';
import { isMissing } from '../files/files.ts';
import { conflict, invalid, notFound } from '../http/errors.ts';
import type { UploadedFile } from './receive.ts';
import * as store from './store.ts';

// An upload whose connection breaks keeps its files for a while. The client asks how much of them has arrived, and
// sends the rest in another request with the same id.

/** How long the files of an interrupted upload are kept. Shorter than the age at which copies of files are removed. */
const keepSeconds = 10 * 60;
/** Maximum number of interrupted uploads of a user. The oldest one is deleted first. */
const maxInterrupted = 5;

/** The identity of an upload that can be continued. */
export interface UploadIdentity {
  id: string;
  userId: number;
  /** How many bytes of the files the client does not send again. */
  offset: number;
}

const headers = z.object({ id: z.uuid(), offset: z.catch(z.coerce.number().check(z.int(), z.gte(0)), 0) });

/** Reads the identity of an upload from its headers; undefined without one. @throws 400 if it is not a UUID */
export function readIdentity(request: FastifyRequest, userId: number | undefined): UploadIdentity | undefined {
  const id = request.headers[uploadHeaders.id];
  if (id === undefined || userId === undefined) return undefined;
  const parsed = z.safeParse(headers, { id, offset: request.headers[uploadHeaders.offset] ?? 0 });
  if (!parsed.success) throw invalid(`The header ${uploadHeaders.id} must be a UUID.`);
  return { ...parsed.data, userId };
}

/** The uploads that this process is receiving, by their ids. */
const receiving = new Map<string, { userId: number; interrupt(): Promise<void> }>();

/** Calls `receive` and meanwhile lets `interrupt` break the connection. */
export async function whileReceiving<Result>(
  { id, userId }: UploadIdentity,
  request: FastifyRequest,
  receive: () => Promise<Result>,
): Promise<Result> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const entry = {
    userId,
    interrupt() {
      request.raw.destroy();
      return ended;
    },
  };
  receiving.set(id, entry);
  try {
    return await receive();
  } finally {
    if (receiving.get(id) === entry) receiving.delete(id);
    end();
  }
}

/**
 * Breaks the connection of an upload that this process still receives: the client has lost it, but the server can
 * notice only later.
 */
export async function interrupt({ id, userId }: Pick<UploadIdentity, 'id' | 'userId'>): Promise<void> {
  const entry = receiving.get(id);
  if (entry?.userId === userId) await entry.interrupt();
}

/** Keeps the files of an interrupted upload, and removes those of the user's oldest ones. */
export async function keepReceived(
  { db, files }: Pick<Context, 'db' | 'files'>,
  { id, userId }: UploadIdentity,
  received: readonly UploadedFile[],
): Promise<void> {
  const parts = received.map(({ path, fileName }) => ({ path, fileName }));
  await store.interruptUpload(db, id, parts, keepSeconds);
  for (const old of await store.deleteOldInterrupted(db, userId, maxInterrupted)) await removeParts(files, old);
}

/**
 * Returns the files that an interrupted upload has received so far, and forgets the upload; none if it is new or was
 * kept too long. Call it in the transaction that counts the upload again.
 * @throws 409 if another process still receives it, or the client does not continue where the files end
 */
export async function takeFiles(
  trx: Db,
  files: Context['files'],
  { id, userId, offset }: UploadIdentity,
): Promise<UploadedFile[]> {
  const row = await store.findUpload(trx, userId, id);
  if (row && !row.isExpired && !row.parts) throw conflict(stillReceived);
  if (row?.isExpired) await removeParts(files, row.parts);
  const parts = row?.parts && !row.isExpired ? await measureParts(files, row.parts) : undefined;
  const received = parts?.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;
  if (received !== offset) throw conflict('Ask again where to continue this upload.');
  if (row) await store.deleteUpload(trx, id);
  return parts ?? [];
}

const stillReceived = 'This upload is still being received. Try again in a moment.';

/**
 * Returns how many bytes of each file of an interrupted upload have arrived. If this process still receives it, it is
 * interrupted.
 * @throws 404 if it is gone or the user has none with this id, 409 if another process receives it
 */
export async function getReceived(
  { db, files }: Pick<Context, 'db' | 'files'>,
  upload: Pick<UploadIdentity, 'id' | 'userId'>,
): Promise<number[]> {
  await interrupt(upload);
  const row = await store.findUpload(db, upload.userId, upload.id);
  if (!row || row.isExpired) throw notFound('upload', upload.id);
  if (!row.parts) throw conflict(stillReceived);
  const parts = await measureParts(files, row.parts);
  if (!parts) throw notFound('upload', upload.id);
  return parts.map(({ bytes }) => bytes);
}

/** Deletes an interrupted upload with its files. @throws 404 if the user has none with this id */
export async function deleteInterrupted(
  { db, files }: Pick<Context, 'db' | 'files'>,
  upload: Pick<UploadIdentity, 'id' | 'userId'>,
): Promise<void> {
  await interrupt(upload);
  const deleted = await store.deleteInterrupted(db, upload.userId, upload.id);
  if (!deleted) throw notFound('upload', upload.id);
  await removeParts(files, deleted.parts);
}

/**
 * Deletes what is left of interrupted uploads that nobody continued, and the rows of uploads whose process was killed.
 */
export async function deleteExpiredUploads({ db, files }: Pick<Context, 'db' | 'files'>): Promise<void> {
  for (const parts of await store.deleteExpired(db)) await removeParts(files, parts);
}

async function removeParts(files: Context['files'], parts: readonly store.Part[] | null): Promise<void> {
  for (const { path } of parts ?? []) await files.remove(path);
}

/** Returns the files with their sizes; undefined if one is gone or on another machine. */
async function measureParts(
  files: Context['files'],
  parts: readonly store.Part[],
): Promise<UploadedFile[] | undefined> {
  try {
    return await Promise.all(
      parts.map(async (part) => ({ ...part, bytes: (await stat(files.locate(part.path))).size })),
    );
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
