import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { BucketConfig } from '../../config.ts';
import { getErrorMessage, StartError } from '../../start-error.ts';
import { isMissing } from './files.ts';
import { FilesUnavailable, waitingForStorage } from './files-unavailable.ts';

/** A bucket of a storage that speaks the protocol of S3. Keys do not contain the prefix of the settings. */
export interface Bucket {
  /**
   * Copies a file into the bucket. It is complete there, or absent.
   * @param content `sha256`: the checksum, which the storage compares
   * @throws FilesUnavailable, the reason of `stopping`
   */
  upload(key: string, path: string, content: { bytes: number; sha256: Buffer }, stopping?: AbortSignal): Promise<void>;
  /**
   * Passes the content to `write`, again from the start if the transfer fails.
   * @throws FilesUnavailable, an error with the code ENOENT if there is no such file, errors of `write` with a code,
   *   the reason of `stopping`
   */
  download(
    key: string,
    write: (content: AsyncIterable<Buffer>, bytes: number) => Promise<void>,
    stopping?: AbortSignal,
  ): Promise<void>;
  /** @throws FilesUnavailable */
  remove(key: string): Promise<void>;
  /** Yields all files. @throws FilesUnavailable */
  list(): AsyncGenerator<{ key: string; changedAt: Date; bytes: number }>;
  /** Writes, reads and removes a small file. @throws StartError, with the setting to check */
  requireAccess(): Promise<void>;
  /** Returns the failed requests of this process by operation. */
  countErrors(): { operation: string; errors: number }[];
  /** Returns a sentence that says why the bucket could not be used, and which settings to check. */
  describeFailure(error: FilesUnavailable): string;
  close(): void;
}

interface BucketOptions {
  /** How long a request may make no progress. */
  idleMs?: number;
  /** How long to wait before each repetition of a failed request. */
  retryDelaysMs?: readonly number[];
  /** The longest time for a file. */
  maxTransferMs?: number;
  /** The start of the names of the settings. */
  settings?: 'S3' | 'BACKUP_S3';
}

/** The longest time for a request without a file. */
const maxRequestMs = 15_000;

const ignore = () => undefined;

/** Connects to a bucket with the first request. */
export async function openBucket(
  config: BucketConfig,
  log: FastifyBaseLogger,
  { idleMs = 15_000, retryDelaysMs = [500, 2000], maxTransferMs = 10 * 60 * 1000, settings = 'S3' }: BucketOptions = {},
): Promise<Bucket> {
  const { endpoint, region, name, prefix, credentials } = config;
  // Only installations with a bucket pay for loading it.
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region,
    // Most storages other than Amazon's have no host name for each bucket.
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
    // Repeated below, because the SDK does not repeat requests with streams.
    maxAttempts: 1,
    // Not every storage knows the checksums that the SDK adds by default. Files have their own.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would print warnings about requests that are repeated below.
    logger: { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore },
    requestHandler: { connectionTimeout: 5000, socketTimeout: idleMs },
  });
  const errors = new Map<string, number>();

  async function request<Result>(
    operation: string,
    maxMs: number,
    send: (abortSignal: AbortSignal) => Promise<Result>,
    { delaysMs = retryDelaysMs, stopping }: { delaysMs?: readonly number[]; stopping?: AbortSignal | undefined } = {},
  ): Promise<Result> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await send(AbortSignal.any([AbortSignal.timeout(maxMs), ...(stopping ? [stopping] : [])]));
      } catch (error) {
        stopping?.throwIfAborted();
        if (operation === 'download' && isMissingObject(error))
          throw Object.assign(new Error('The file is gone.'), { code: 'ENOENT' });
        if (isLocal(error)) throw error;
        errors.set(operation, (errors.get(operation) ?? 0) + 1);
        log.warn({ err: error, operation }, 'a request to the file storage failed');
        const delayMs = delaysMs[failures];
        if (delayMs === undefined || isRefusal(error)) throw new FilesUnavailable(waitingForStorage, error);
        await delay(delayMs);
      }
    }
  }

  const locate = (key: string) => ({ Bucket: name, Key: `${prefix}${key}` });
  const put = (
    key: string,
    { body, bytes, sha256 }: { body: Buffer | Readable; bytes: number; sha256?: string },
    abortSignal: AbortSignal,
  ) =>
    client.send(
      new sdk.PutObjectCommand({
        ...locate(key),
        Body: body,
        ContentLength: bytes,
        ContentType: 'application/octet-stream',
        ...(sha256 !== undefined && { ChecksumSHA256: sha256 }),
      }),
      { abortSignal },
    );
  const get = (key: string, abortSignal: AbortSignal) =>
    client.send(new sdk.GetObjectCommand(locate(key)), { abortSignal });
  const remove = (key: string, abortSignal: AbortSignal) =>
    client.send(new sdk.DeleteObjectCommand(locate(key)), { abortSignal });
  const listPage = (token: string | undefined, abortSignal: AbortSignal) =>
    client.send(
      new sdk.ListObjectsV2Command({ Bucket: name, Prefix: prefix, ...(token && { ContinuationToken: token }) }),
      { abortSignal },
    );

  return {
    upload(key, path, { bytes, sha256 }, stopping) {
      const send = async (signal: AbortSignal) => {
        const body = createReadStream(path);
        try {
          await put(key, { body, bytes, sha256: sha256.toString('base64') }, signal);
        } finally {
          body.destroy();
        }
        const { ContentLength: stored } = await client.send(new sdk.HeadObjectCommand(locate(key)), {
          abortSignal: signal,
        });
        if (stored !== bytes) throw new Error(`The storage has ${stored} of ${bytes} bytes.`);
      };
      return request('upload', maxTransferMs, send, { stopping });
    },
    download(key, write, stopping) {
      const receive = async (signal: AbortSignal) => {
        const { Body: body, ContentLength: bytes } = await get(key, signal);
        if (!(body instanceof Readable) || bytes === undefined) throw new Error('The storage sent no content.');
        const abort = () => body.destroy(signal.reason);
        signal.addEventListener('abort', abort, { once: true });
        try {
          await write(endIfIdle(body, idleMs), bytes);
        } finally {
          signal.removeEventListener('abort', abort);
          body.destroy();
        }
      };
      return request('download', maxTransferMs, receive, { stopping });
    },
    // The sweep repeats it, so nobody needs to wait for another attempt.
    remove: async (key) => {
      await request('remove', maxRequestMs, (signal) => remove(key, signal), { delaysMs: [] });
    },
    async *list() {
      let token: string | undefined;
      do {
        const page = await request('list', maxRequestMs, (signal) => listPage(token, signal));
        for (const { Key: key, LastModified: changedAt, Size: bytes = 0 } of page.Contents ?? []) {
          if (key && changedAt) yield { key: key.slice(prefix.length), changedAt, bytes };
        }
        token = page.NextContinuationToken;
      } while (token);
    },
    async requireAccess() {
      const key = `access-${randomUUID()}`;
      const content = Buffer.from('Linksieve can write here.');
      try {
        const signal = AbortSignal.timeout(maxRequestMs);
        await put(key, { body: content, bytes: content.length }, signal);
        const { Body: body } = await get(key, signal);
        if ((await body?.transformToString()) !== content.toString()) throw new Error('It returned another content.');
        await listPage(undefined, signal);
        await remove(key, signal);
      } catch (error) {
        throw new StartError(describeRefusal(error, config, settings), { cause: error });
      }
    },
    countErrors: () => [...errors].map(([operation, count]) => ({ operation, errors: count })),
    describeFailure: ({ cause }) => describeRefusal(cause, config, settings),
    close: () => client.destroy(),
  };
}

/** Yields the chunks of a stream. @throws if none arrives for `idleMs` */
async function* endIfIdle(stream: Readable, idleMs: number): AsyncGenerator<Buffer> {
  const end = () => stream.destroy(new Error(`The storage sent nothing for ${idleMs} ms.`));
  const timer = setTimeout(end, idleMs);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      timer.refresh();
      yield chunk;
    }
  } finally {
    clearTimeout(timer);
  }
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : '');

const isMissingObject = (error: unknown) => ['NoSuchKey', 'NotFound'].includes(nameOf(error));

/** Whether an error is of this machine: of a file, or of its disk. */
const isLocal = (error: unknown) =>
  isMissing(error) || (error instanceof Error && 'code' in error && localCodes.has(String(error.code)));
const localCodes = new Set(['ENOSPC', 'EACCES', 'EROFS', 'EDQUOT', 'EIO', 'EBADMSG', 'EEXIST']);

/** Whether the storage refused a request for a reason that a repetition a second later does not change. */
function isRefusal(error: unknown): boolean {
  const status = findStatus(error);
  return status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function findStatus(error: unknown): number | undefined {
  if (!(error instanceof Error && '$metadata' in error)) return undefined;
  return (error.$metadata as { httpStatusCode?: number }).httpStatusCode;
}

/** Returns a sentence that says why the bucket cannot be used, and which settings to check. */
function describeRefusal(error: unknown, { endpoint, region, name }: BucketConfig, settings: 'S3' | 'BACKUP_S3') {
  const bucket = `the bucket ${name} in ${settings}_BUCKET`;
  const status = findStatus(error);
  const reason = nameOf(error);
  if (reason === 'NoSuchBucket' || (status === 404 && reason !== 'NoSuchKey'))
    return `There is no bucket ${name}. Create it, or correct ${settings}_BUCKET.`;
  if (reason === 'InvalidAccessKeyId' || reason === 'SignatureDoesNotMatch')
    return `The file storage does not accept the access key. Check ${settings}_ACCESS_KEY_ID and ${settings}_SECRET_ACCESS_KEY.`;
  if (reason === 'CredentialsProviderError')
    return `There is no access key for the file storage. Set ${settings}_ACCESS_KEY_ID and ${settings}_SECRET_ACCESS_KEY, or give the machine a role.`;
  if (status === 301 || reason === 'AuthorizationHeaderMalformed' || reason === 'PermanentRedirect')
    return `The bucket ${name} is not in the region ${region}. Correct ${settings}_REGION.`;
  if (status === 403)
    return `The access key may not write, read, list or remove files in ${bucket}. Change its policy, or check ${settings}_ACCESS_KEY_ID.`;
  const place = endpoint ? `${endpoint} in ${settings}_ENDPOINT` : `Amazon S3 in the region ${region}`;
  return `Linksieve cannot use ${bucket} at ${place}: ${getErrorMessage(error)}. Check the settings and the storage.`;
}
