import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The folder of uploaded files, shared by every process of an installation. */
export interface Files {
  /** Streams to a new file with a random name. Removes the file if the stream fails. */
  save(stream: Readable, signal?: AbortSignal): Promise<{ path: string; bytes: number }>;
  /** Creates an empty folder with a random name, for temporary files. @returns its path */
  createFolder(): Promise<string>;
  /** Removes a file, or a folder with its files. */
  remove(path: string): Promise<void>;
  /**
   * Removes files and folders older than `minAgeMs` whose paths are not in `inUse`.
   * @returns the number of removed ones
   */
  sweep(inUse: ReadonlySet<string>, minAgeMs: number): Promise<number>;
}

/** Opens the upload folder in `dataDir`, and creates it if it is missing. */
export async function openFiles(dataDir: string): Promise<Files> {
  const folder = join(dataDir, 'uploads');
  await mkdir(folder, { recursive: true });
  const remove = (path: string) => rm(path, { force: true, recursive: true });
  return {
    async save(stream, signal) {
      const path = join(folder, randomUUID());
      try {
        await pipeline(stream, createWriteStream(path, { flags: 'wx' }), { signal });
        return { path, bytes: (await stat(path)).size };
      } catch (error) {
        await remove(path);
        throw error;
      }
    },
    async createFolder() {
      const path = join(folder, randomUUID());
      await mkdir(path);
      return path;
    },
    remove,
    async sweep(inUse, minAgeMs) {
      let removed = 0;
      for (const name of await readdir(folder)) {
        const path = join(folder, name);
        if (inUse.has(path)) continue;
        const changedAt = await findChangeTime(path);
        if (changedAt === undefined || Date.now() - changedAt < minAgeMs) continue;
        await remove(path);
        removed += 1;
      }
      return removed;
    },
  };
}

/** Returns undefined if the file is gone, because its upload or analysis has removed it. */
async function findChangeTime(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
