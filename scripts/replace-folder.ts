import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Moves a folder to the place of another. All three are on one file system. Several processes may replace the same folder at
 * the same moment: the last one wins.
 * @param aside where the folder that was replaced is moved to, under a new name
 */
export async function replaceFolder(from: string, to: string, aside: string): Promise<void> {
  do await unless(['ENOENT'], rename(to, join(aside, randomUUID())));
  while (!(await unless(['ENOTEMPTY', 'EEXIST'], rename(from, to))));
}

/** Returns false after an error with one of these codes, and true after success. Throws other errors. */
async function unless(codes: string[], work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && codes.includes(String(error.code))) return false;
    throw error;
  }
}
