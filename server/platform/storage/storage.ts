import type { Hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { maxUnfinishedAnalyses, maxUploadBytes } from '#shared/platform/uploads.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../db/database.ts';
import { locks, takeLock } from '../db/locks.ts';
import { isUniqueViolation } from '../db/unique-violation.ts';
import { conflict, diskFullError, idempotencyInProgress, invalid, tooManyRequests } from '../http/errors.ts';
import type { Identity } from '../http/scope.ts';
import { requireSpace } from '../usage/usage.ts';
import * as interrupted from './interrupted.ts';
import {
  type ArrivingFile,
  isLostConnection,
  receiveFiles,
  sumBytes,
  toHttpError,
  type UploadedFile,
  uploadTooLarge,
} from './receive.ts';
import * as store from './store.ts';

/** An admin whose account has no limit, another user, or a visitor. */
type Uploader = Pick<Identity, 'id' | 'isAdmin'> | undefined;
type StorageContext = Pick<Context, 'config' | 'db' | 'files' | 'log'>;

interface UploadOptions {
  /** The form field that contains the files. */
  field: string;
  /** Default: 1. */
  maxFiles?: number;
  /** A limit below that of all uploads. */
  maxBytes?: number;
  /** Whether an analysis will write what the files contain to the database. */
  isAnalyzed?: boolean;
  /** Whether other processes will need the files. */
  publishes?: boolean;
  /** For an upload that is started only once: the id under which it counts, and what receives its content. */
  once?: { uploadId: string; digest: Hash } | undefined;
}

/**
 * An upload, the owner of its files: it removes them in the end, unless `keep` was called. While it is received, it
 * counts toward the limits of its account and of the disk in every process; a killed process stops counting within a
 * minute.
 */
export interface Upload extends AsyncDisposable {
  /** The id that the client gave the upload. What the upload starts gets the same id. */
  id: string | undefined;
  /** How many bytes the files have at most. */
  expectedBytes: number;
  /** The first file, once its start is on the disk; undefined if it is shorter, or is not received. */
  firstFile: Promise<ArrivingFile | undefined>;
  /** Aborts when a second file starts to arrive. */
  hasSecondFile: AbortSignal;
  /**
   * Receives the files. If the connection of an upload with an id breaks, they stay, and the client can send the rest
   * in another request with this id.
   * @throws 400 and 413 like `receiveFiles`, 503 if the files cannot be stored
   */
  receive(): Promise<{ files: [UploadedFile, ...UploadedFile[]]; fields: Record<string, string> }>;
  /** Stops counting the upload, in the transaction in which something else starts to count. */
  release(trx: Db): Promise<void>;
  /** Leaves the files to what the upload has started. */
  keep(): void;
}

/**
 * Admits the upload of a request, whose files `receive` then reads.
 * @throws 429 if the account has five unfinished uploads and analyses, 507 if it has reached its storage limit or the
 *   disk its reserve; 409 if an upload does not continue where its files end
 */
export async function admitUpload(
  context: StorageContext,
  { user, request }: { user: Uploader; request: FastifyRequest },
  {
    field,
    maxFiles = 1,
    maxBytes: ownMaxBytes = maxUploadBytes,
    isAnalyzed = false,
    publishes = false,
    once,
  }: UploadOptions,
): Promise<Upload> {
  const { config, db, files, log } = context;
  const maxBytes = Math.min(ownMaxBytes, config.maxUploadBytes);
  const identity = interrupted.readIdentity(request, user?.id);
  if (identity && once) throw invalid('Send either Upload-Id or Idempotency-Key.');
  if (identity && identity.offset > maxBytes) throw uploadTooLarge(maxBytes);
  const announced = getExpectedBytes(request, maxBytes);
  if (identity) await interrupted.interrupt(identity);
  const { id, received } = await db
    .transaction()
    .execute((trx) => admit(trx, context, { user, identity, onceId: once?.uploadId, bytes: announced, isAnalyzed }))
    .catch(refuseUsedId);
  const stopRenewing = renew(context, request, id, announced);
  const first = Promise.withResolvers<ArrivingFile | undefined>();
  const second = new AbortController();
  let owner: 'this' | 'interrupted' | 'other' = 'this';

  async function receive(): Promise<Record<string, string>> {
    try {
      if (request.isMultipart())
        return await receiveFiles(request, files, received, {
          field,
          maxFiles,
          maxBytes,
          digest: once?.digest,
          onFirstFile: first.resolve,
          onSecondFile: () => second.abort(),
        });
    } catch (error) {
      if (identity && isLostConnection(request, error) && (await keepReceived(identity))) owner = 'interrupted';
      throw toHttpError(error, { field, maxFiles, maxBytes });
    } finally {
      first.resolve(undefined);
    }
    throw invalid('Please send the file as a multipart form.', { [field]: 'Please choose a file.' });
  }

  async function keepReceived(of: interrupted.UploadIdentity): Promise<boolean> {
    try {
      await interrupted.keepReceived(context, of, received);
      return true;
    } catch (error) {
      log.warn({ err: error }, 'an interrupted upload could not be kept');
      return false;
    }
  }

  return {
    id: identity?.id,
    expectedBytes: announced + (identity?.offset ?? 0),
    firstFile: first.promise,
    hasSecondFile: second.signal,
    async receive() {
      const fields = await (identity ? interrupted.whileReceiving(identity, request, receive) : receive());
      if (publishes) for (const file of received) file.path = await files.publish(file.path);
      return { files: received as [UploadedFile, ...UploadedFile[]], fields };
    },
    release: (trx) => store.deleteUpload(trx, id),
    keep() {
      owner = 'other';
    },
    async [Symbol.asyncDispose]() {
      stopRenewing();
      if (owner === 'interrupted') return;
      if (owner === 'this') for (const { path } of received) await files.remove(path);
      await store.deleteUpload(db, id).catch((error: unknown) => log.warn({ err: error }, 'an upload still counts'));
    },
  };
}

/**
 * The row of an upload, and of what it starts, has the id that the client chose.
 * @throws 409 if the error says that this id is used, otherwise the error
 */
export function refuseUsedId(error: unknown): never {
  throw isUniqueViolation(error) && error.constraint?.endsWith('_pkey')
    ? conflict('There is already an upload with this id.')
    : error;
}

/** Returns how many bytes an upload has at most, as the client announces it. */
function getExpectedBytes({ headers }: FastifyRequest, maxBytes: number): number {
  const announced = Number(headers['content-length'] ?? Number.NaN);
  return Number.isNaN(announced) ? maxBytes : Math.min(announced, maxBytes);
}

/** Renewed three times within the time for which an upload counts. */
const renewMs = 15_000;
const countedSeconds = 60;
/**
 * What an analysis writes to the database for each byte of a file, including its log: 0.2 bytes if all links are on one
 * site, about 6 if each is on another. A running analysis that writes more stops before the disk is full.
 */
const databaseFactor = 4;

interface Admission {
  user: Uploader;
  identity: interrupted.UploadIdentity | undefined;
  /** The id of an upload that is started only once. */
  onceId: string | undefined;
  /** What the client announces to send. */
  bytes: number;
  isAnalyzed: boolean;
}

/**
 * Counts an upload.
 * @returns its id, and the files of an interrupted one
 * @throws if it is not allowed
 */
async function admit(
  trx: Db,
  { config, files }: StorageContext,
  { user, identity, onceId, bytes: bytesLeft, isAnalyzed }: Admission,
): Promise<{ id: string; received: UploadedFile[] }> {
  await takeLock(trx, locks.admitUpload);
  const received = identity ? await interrupted.takeFiles(trx, files, identity) : [];
  const bytes = bytesLeft + sumBytes(received);
  if (user && onceId !== undefined) {
    if ((await store.findUpload(trx, user.id, onceId))?.isExpired === false) throw idempotencyInProgress();
    await store.deleteUpload(trx, onceId);
  }
  if (user) {
    await refuseTooMany(trx, user.id);
    await requireSpace(trx, config, user, bytes);
  }
  const { spareBytes, hasDatabase } = await files.readSpace();
  const written = bytesLeft + (isAnalyzed && hasDatabase ? bytes * databaseFactor : 0);
  if (spareBytes - (await store.countBytesLeft(trx)) < written) throw diskFullError(noSpace);
  const upload = { id: identity?.id ?? onceId, userId: user?.id ?? null, bytes, bytesLeft, seconds: countedSeconds };
  return { id: await store.insertUpload(trx, upload), received };
}

const noSpace = 'The server has too little disk space for this upload. Please tell the administrator.';

/**
 * Refuses another upload of a user who has too many. Uploads are counted while they are received, so that no number of
 * open connections takes more space.
 * @throws 429 if the user has five unfinished uploads and analyses
 */
export async function refuseTooMany(db: Db, userId: number): Promise<void> {
  if ((await store.countUnfinished(db, userId)) < maxUnfinishedAnalyses) return;
  throw tooManyRequests(
    `You already have ${maxUnfinishedAnalyses} uploads and analyses in progress. Wait until one has finished, or answer or cancel one that has a question.`,
    10,
  );
}

/** Renews the upload until the returned function is called. The server ends uploads that are too slow. */
function renew({ db, log }: StorageContext, { raw }: FastifyRequest, id: string, bytes: number): () => void {
  const before = raw.socket.bytesRead;
  const timer = setInterval(() => {
    const isReceived = raw.complete || raw.readableEnded;
    const left = isReceived ? 0 : Math.max(0, bytes - (raw.socket.bytesRead - before));
    store
      .renewUpload(db, id, left, countedSeconds)
      .catch((error: unknown) => log.warn({ err: error }, 'renewing an upload failed'));
  }, renewMs);
  return () => clearInterval(timer);
}

/** Returns the paths of the files of interrupted uploads. */
export async function listInterruptedFiles(db: Db): Promise<string[]> {
  return (await store.listParts(db)).map(({ path }) => path);
}
