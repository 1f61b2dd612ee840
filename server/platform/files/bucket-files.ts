import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Bucket } from './bucket.ts';
import { type Files, type FilesOptions, isMissing, openFiles } from './files.ts';
import { FilesUnavailable, waitingForSpace } from './files-unavailable.ts';

/**
 * The path of a published file: a random name, and the SHA-256 of its content, so that every process can verify what it
 * downloads. It is also its key in the bucket.
 */
const publishedPath = /^[\da-f-]{36}\.([\da-f]{64})$/;

/** Copies that no process has used for so long are removed. Longer than any pause of a process that still uses one. */
const maxCopyAgeMs = 15 * 60 * 1000;
/** Temporary folders of a process that was killed are removed after this time, which is longer than any run. */
const maxFolderAgeMs = 24 * 60 * 60 * 1000;
/** A published file is in a row within minutes, unless its process was killed. */
const maxUnusedMs = 60 * 60 * 1000;

/**
 * Keeps published files in a bucket. `dataDir` contains copies of files that this machine has received or used
 * recently, files that are not published, and temporary folders. It also contains the files of the time before the
 * bucket: they are used until their work has ended.
 * @param options `renewMs`: how often copies in use are marked as such, and old ones are removed
 */
export async function openBucketFiles(
  dataDir: string,
  options: FilesOptions,
  bucket: Bucket,
  { log, renewMs = 60_000 }: { log: FastifyBaseLogger; renewMs?: number },
): Promise<Files> {
  const before = await openFiles(dataDir, options);
  const local = await openFiles(dataDir, { ...options, folderName: 'copies' });
  const folder = join(dataDir, 'copies');
  const downloads = new Map<string, Promise<void>>();

  const locate = (path: string) => {
    const copy = local.locate(path);
    return publishedPath.test(path) || existsSync(copy) ? copy : before.locate(path);
  };

  /** Downloads a file that this machine does not have. Several callers share one download. */
  async function ensureCopy(path: string, signal: AbortSignal): Promise<string> {
    const copy = locate(path);
    if (!publishedPath.test(path) || (await renew(copy))) return copy;
    signal.throwIfAborted();
    const download = downloads.get(path) ?? downloadCopy(path, copy).finally(() => downloads.delete(path));
    downloads.set(path, download);
    await waitFor(download, signal);
    return copy;
  }

  async function downloadCopy(path: string, copy: string): Promise<void> {
    const part = `${copy}.${randomUUID()}`;
    try {
      await bucket.download(path, async (content, bytes) => {
        if ((await local.readSpace()).spareBytes < bytes) throw new NoSpace();
        if ((await writeCopy(content, part)) === publishedPath.exec(path)?.[1]) return;
        throw Object.assign(new Error(`The file ${path} in the bucket is damaged.`), { code: 'EBADMSG' });
      });
      await rename(part, copy);
    } catch (error) {
      await rm(part, { force: true });
      throw error instanceof NoSpace ? new FilesUnavailable(waitingForSpace) : error;
    }
  }

  /** Marks files as used until `work` ends. */
  async function whileRenewing<Result>(used: readonly string[], work: () => Promise<Result>): Promise<Result> {
    const renewing = setInterval(() => {
      for (const path of used)
        renew(path).catch((error: unknown) => log.warn({ err: error }, 'marking a file as used failed'));
    }, renewMs);
    try {
      return await work();
    } finally {
      clearInterval(renewing);
    }
  }

  /** Removes old copies, and temporary folders of killed processes. */
  async function removeOld(): Promise<void> {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      const changedAt = await stat(path).then(({ mtimeMs }) => mtimeMs, orMissing);
      const maxAgeMs = entry.isDirectory() ? maxFolderAgeMs : maxCopyAgeMs;
      if (changedAt !== undefined && Math.abs(Date.now() - changedAt) > maxAgeMs)
        await rm(path, { force: true, recursive: true });
    }
  }
  const removeOldSafely = () =>
    removeOld().catch((error: unknown) => log.warn({ err: error }, 'removing old copies of files failed'));
  await removeOldSafely();
  const timer = setInterval(() => void removeOldSafely(), renewMs).unref();

  return {
    createPath: local.createPath,
    save: local.save,
    append: local.append,
    createFolder: local.createFolder,
    readSpace: local.readSpace,
    isReserveReached: local.isReserveReached,
    locate,
    async publish(path) {
      const file = local.locate(path);
      const { bytes, sha256 } = await readChecksum(createReadStream(file));
      const published = `${path}.${sha256.toString('hex')}`;
      await whileRenewing([file], () => bucket.upload(published, file, { bytes, sha256 }));
      // After a power failure, the copy must not be shorter than the file.
      await using handle = await open(file, 'r+');
      await handle.sync();
      await rename(file, local.locate(published));
      return published;
    },
    async withCopies(paths, signal, work) {
      const copies: string[] = [];
      return whileRenewing(copies, async () => {
        for (const path of paths) copies.push(await ensureCopy(path, signal));
        return work(copies);
      });
    },
    async remove(path) {
      await local.remove(path);
      if (!publishedPath.test(path)) return before.remove(path);
      await bucket.remove(path).catch((error: unknown) => {
        if (!(error instanceof FilesUnavailable)) throw error;
        log.warn({ path }, 'a file stays in the bucket until the next sweep');
      });
    },
    async sweep(inUse, minAgeMs) {
      let removed = await before.sweep(inUse, minAgeMs);
      for await (const { key, changedAt } of bucket.list()) {
        // The bucket may contain files of others.
        if (
          !publishedPath.test(key) ||
          inUse.has(key) ||
          Math.abs(Date.now() - changedAt.getTime()) < Math.min(minAgeMs, maxUnusedMs)
        )
          continue;
        await bucket.remove(key);
        removed += 1;
      }
      return removed;
    },
    countErrors: bucket.countErrors,
    async close() {
      clearInterval(timer);
      bucket.close();
    },
  };
}

/** A download would use the reserve of the disk. The code keeps it from being repeated. */
class NoSpace extends Error {
  readonly code = 'ENOSPC';
}

function orMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

/** Marks a copy as used. @returns false if this machine does not have it */
async function renew(copy: string): Promise<boolean> {
  const now = new Date();
  return utimes(copy, now, now).then(
    () => true,
    (error: unknown) => orMissing(error) ?? false,
  );
}

async function waitFor(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Returns the size and the SHA-256 of a content. */
export async function readChecksum(content: AsyncIterable<Buffer>): Promise<{ bytes: number; sha256: Buffer }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest() };
}

/** Writes a new file, which is on the disk when this returns. @returns its SHA-256 in hexadecimal digits */
async function writeCopy(content: AsyncIterable<Buffer>, path: string): Promise<string> {
  const hash = createHash('sha256');
  async function* addToHash(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  }
  await pipeline(content, addToHash, createWriteStream(path, { mode: 0o600, flush: true }));
  return hash.digest('hex');
}
