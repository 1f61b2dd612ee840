import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';

/**
 * The uploaded files. A file is known by its path inside the store, which stays valid when the store moves. Only
 * `locate` and `withCopies` return paths of this machine.
 */
export interface Files {
  /** Returns an unused path for a file of this machine. */
  createPath(): string;
  /** Writes a new file of this machine. Removes the file if a stream fails. */
  save(content: string | Readable): Promise<{ path: string; bytes: number }>;
  /**
   * Streams to the end of a file of this machine, and creates it if it is missing. If the stream fails, what has been
   * written stays.
   * @returns the number of bytes that have been written, after each part
   */
  append(path: string, stream: AsyncIterable<Buffer>): AsyncIterable<number>;
  /**
   * Makes a saved file available to all processes of the installation. If it throws, the file keeps its path.
   * @returns its path from now on
   * @throws FilesUnavailable
   */
  publish(path: string): Promise<string>;
  /** Creates an empty folder of this machine with a random name, for temporary files. @returns its path in the store */
  createFolder(): Promise<string>;
  /** Returns where this machine has a file or folder, or would have it. It may be gone, or not be downloaded. */
  locate(path: string): string;
  /**
   * Passes paths of this machine to `work`, in the same order. Downloads the files that it does not have.
   * @throws FilesUnavailable, an error with the code ENOENT or EBADMSG for a missing or damaged file, the reason of
   *   `signal`, errors of `work`
   */
  withCopies<Result>(
    paths: readonly string[],
    signal: AbortSignal,
    work: (copies: string[]) => Promise<Result>,
  ): Promise<Result>;
  /** Removes a file, or a folder with its files. A published file may stay until the next `sweep`. */
  remove(path: string): Promise<void>;
  /**
   * Removes files and folders older than `minAgeMs` whose paths are not in `inUse`.
   * @returns the number of removed ones
   */
  sweep(inUse: ReadonlySet<string>, minAgeMs: number): Promise<number>;
  /** Reads how much space is left on the disk of this machine. */
  readSpace(): Promise<DiskSpace>;
  /**
   * Whether so little is left above the reserve that requests must not write to the database, if it is on the same
   * disk. Reads the space at most ten times in a second.
   */
  isReserveReached(): Promise<boolean>;
  /** Returns the failed requests of this process to a storage in the network, by operation. */
  countErrors(): { operation: string; errors: number }[];
  /** Ends the connections and the background work. */
  close(): Promise<void>;
}

export interface DiskSpace {
  /** What may be written before less than the reserve is free. Negative if the reserve is already used. */
  spareBytes: number;
  /** Whether half of the reserve is used, so that running work must stop. */
  isCritical: boolean;
  /** Whether the database is on the same disk, so that what is written there counts too. */
  hasDatabase: boolean;
}

export interface FilesOptions {
  /** The folder in `dataDir`. Default: `uploads`. */
  folderName?: string;
  /** What must stay free. Default: nothing. */
  reserveBytes?: number;
  /** Whether `dataDir` also contains the embedded database. */
  hasDatabase?: boolean;
}

/** The free space is read at most this often to decide about requests. */
const spaceMaxAgeMs = 100;
/**
 * What is left above the reserve for requests that were accepted before the free space was read, and for the next files
 * of the write-ahead log, of 16 MB each.
 */
const runningRequestsBytes = 64 * 1024 * 1024;

/** Only the user of the server may read what others uploaded. */
const folderMode = 0o700;
const fileMode = 0o600;

/** Opens a folder of files in `dataDir`, which all processes of the installation share. Creates it if it is missing. */
export async function openFiles(
  dataDir: string,
  { folderName = 'uploads', reserveBytes = 0, hasDatabase = false }: FilesOptions = {},
): Promise<Files> {
  const folder = join(dataDir, folderName);
  await mkdir(folder, { recursive: true, mode: folderMode });
  // The folder of an older installation may be readable for others.
  if (((await stat(folder)).mode & 0o777) !== folderMode) await chmod(folder, folderMode);
  // A stored path is a name. Anything else must not lead out of the folder.
  const locate = (path: string) => join(folder, basename(path));
  const remove = (path: string) => rm(locate(path), { force: true, recursive: true });
  async function readSpace(): Promise<DiskSpace> {
    // The folder of the database may be a link to another disk.
    const folders = hasDatabase ? [folder, join(dataDir, 'postgres')] : [folder];
    const free = Math.min(...(await Promise.all(folders.map(readFreeBytes))));
    return { spareBytes: free - reserveBytes, isCritical: free < reserveBytes / 2, hasDatabase };
  }
  let lastRead: { at: number; isReached: Promise<boolean> } | undefined;
  return {
    createPath: randomUUID,
    async save(content) {
      const path = randomUUID();
      try {
        await writeFile(locate(path), content, { mode: fileMode });
        return { path, bytes: (await stat(locate(path))).size };
      } catch (error) {
        await remove(path);
        throw error;
      }
    },
    async *append(path, stream) {
      await using file = await open(locate(path), 'a', fileMode);
      let written = 0;
      for await (const bytes of stream) {
        await file.appendFile(bytes);
        written += bytes.length;
        yield written;
      }
    },
    publish: async (path) => path,
    async createFolder() {
      const path = randomUUID();
      await mkdir(locate(path), { mode: folderMode });
      return path;
    },
    locate,
    withCopies: (paths, _signal, work) => work(paths.map(locate)),
    remove,
    async sweep(inUse, minAgeMs) {
      let removed = 0;
      for (const path of await readdir(folder)) {
        if (inUse.has(path)) continue;
        const changedAt = await findChangeTime(locate(path));
        if (changedAt === undefined || Math.abs(Date.now() - changedAt) < minAgeMs) continue;
        await remove(path);
        removed += 1;
      }
      return removed;
    },
    readSpace,
    async isReserveReached() {
      if (!hasDatabase || reserveBytes === 0) return false;
      const now = performance.now();
      if (!lastRead || now - lastRead.at > spaceMaxAgeMs) {
        lastRead = { at: now, isReached: readSpace().then(({ spareBytes }) => spareBytes < runningRequestsBytes) };
      }
      return await lastRead.isReached;
    },
    countErrors: () => [],
    close: async () => undefined,
  };
}

/** Returns infinity for a folder that does not exist yet. */
async function readFreeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    if (isMissing(error)) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

/** Whether a file or folder does not exist. */
export const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Returns undefined if the file is gone, because its upload or analysis has removed it. */
async function findChangeTime(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
