import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { BucketConfig } from '../../config.ts';
import type { Context } from '../../context.ts';
import { StartError } from '../../start-error.ts';
import { type Bucket, openBucket } from '../files/bucket.ts';
import { readChecksum } from '../files/bucket-files.ts';
import type { Files } from '../files/files.ts';
import { FilesUnavailable } from '../files/files-unavailable.ts';
import { isScheduledName, selectOld } from './scheduled.ts';
import { completeCopy, findRunFile } from './store-runs.ts';

const maxTransferMs = 6 * 3_600_000;
/** Maximum size of a file that is stored in one request. */
const maxObjectBytes = 5 * 1024 ** 3;

/** Thrown if the bucket cannot be used or does not accept a backup. The message says what to check. */
export class BackupBucketError extends StartError {}

/** Runs `work` with the bucket of the backups. @throws BackupBucketError, with a sentence, if it cannot be used */
export async function withBackupBucket<Result>(
  config: BucketConfig,
  log: FastifyBaseLogger,
  work: (bucket: Bucket) => Promise<Result>,
): Promise<Result> {
  const bucket = await openBucket(config, log, { maxTransferMs, settings: 'BACKUP_S3' });
  try {
    return await work(bucket);
  } catch (error) {
    if (!(error instanceof FilesUnavailable)) throw error;
    throw new BackupBucketError(bucket.describeFailure(error), { cause: error });
  } finally {
    bucket.close();
  }
}

/** Lists the scheduled backups in the bucket, newest first. */
export async function listCopies(bucket: Bucket): Promise<{ name: string; bytes: number }[]> {
  const copies: { name: string; bytes: number }[] = [];
  for await (const { key, bytes } of bucket.list()) if (isScheduledName(key)) copies.push({ name: key, bytes });
  return copies.sort((one, other) => (one.name < other.name ? 1 : -1));
}

/**
 * Downloads a backup to a new file.
 * @throws FilesUnavailable, an error with the code ENOENT if there is no such backup, or ENOSPC if the download would
 *   use the reserve of the disk
 */
export async function downloadBackup(
  { bucket, files }: { bucket: Bucket; files: Pick<Files, 'readSpace'> },
  name: string,
  path: string,
  stopping?: AbortSignal,
): Promise<void> {
  const write = async (content: AsyncIterable<Buffer>, bytes: number) => {
    if ((await files.readSpace()).spareBytes < bytes)
      throw Object.assign(new Error(`The disk has too little space for ${name}.`), { code: 'ENOSPC' });
    await pipeline(content, createWriteStream(path, { mode: 0o600 }));
  };
  await bucket.download(name, write, stopping);
}

/** Copies a scheduled backup into the bucket, and removes older ones there. @throws BackupBucketError */
export async function copyBackup(
  { config: { backup }, db, log }: Pick<Context, 'config' | 'db' | 'log'>,
  runId: number,
  signal: AbortSignal,
): Promise<void> {
  const name = await findRunFile(db, runId);
  if (!backup?.bucket || name === null) throw new BackupBucketError('BACKUP_S3_BUCKET is no longer set.');
  const { folder, keep } = backup;
  await withBackupBucket(backup.bucket, log, async (bucket) => {
    const path = join(folder, name);
    const content = await readChecksum(createReadStream(path, { signal }));
    if (content.bytes > maxObjectBytes)
      throw new BackupBucketError(
        'The backup is larger than 5 GB, which is the most that the bucket accepts in one request.',
      );
    await bucket.upload(name, path, content, signal);
    await completeCopy(db, runId, { name, bytes: content.bytes });
    await removeOldCopies(bucket, keep, name, log);
  });
}

/**
 * A key that may only add files protects the copies from anyone who takes over this server. A lifecycle rule of the
 * bucket then removes old ones.
 */
async function removeOldCopies(bucket: Bucket, keep: number, name: string, log: FastifyBaseLogger): Promise<void> {
  try {
    const copies = (await listCopies(bucket)).map((copy) => copy.name);
    for (const old of selectOld(copies, keep, name)) await bucket.remove(old);
  } catch (error) {
    if (!(error instanceof FilesUnavailable)) throw error;
    log.warn({ reason: bucket.describeFailure(error) }, 'older copies of backups stay in the bucket');
  }
}
