import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The folder of uploaded files, shared by every process of an installation. */
export interface Files {
  /** The absolute path of the folder. Temporary files in it are removed like uploads that nobody needs. */
  folder: string;
  /** Streams to a new file with a random name. Removes the file if the stream fails. */
  save(stream: Readable, signal?: AbortSignal): Promise<{ path: string; bytes: number }>;
  remove(path: string): Promise<void>;
  /** Removes files older than `minAgeMs` whose paths are not in `inUse`. @returns the number of removed files */
  sweep(inUse: ReadonlySet<string>, minAgeMs: number): Promise<number>;
}

/** Opens the upload folder in `dataDir`, and creates it if it is missing. */
export async function openFiles(dataDir: string): Promise<Files> {
  const folder = join(dataDir, 'uploads');
  await mkdir(folder, { recursive: true });
  const remove = (path: string) => rm(path, { force: true });
  return {
    folder,
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
    remove,
    async sweep(inUse, minAgeMs) {
      let removed = 0;
      for (const name of await readdir(folder)) {
        const path = join(folder, name);
        if (inUse.has(path) || Date.now() - (await stat(path)).mtimeMs < minAgeMs) continue;
        await remove(path);
        removed += 1;
      }
      return removed;
    },
  };
}
