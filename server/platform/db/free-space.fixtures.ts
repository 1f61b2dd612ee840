import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { vi } from 'vitest';

/** Runs work while every disk seems to have this many free bytes. */
export async function withFreeSpace<T>(bytes: number, work: () => Promise<T>): Promise<T> {
  const { bsize, ...space } = await fs.statfs('/');
  const readSpace = vi.spyOn(fs, 'statfs').mockResolvedValue({ ...space, bsize, bavail: Math.floor(bytes / bsize) });
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    readSpace.mockRestore();
    syncBuiltinESMExports();
  }
}
