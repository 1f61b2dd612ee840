import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Replaces a folder with another one. Several processes may replace the same folder at the same time: the last one
 * wins. All three folders must be on the same file system.
 * @param aside folder that the replaced folder is moved into, under a random name
 */
export async function replaceFolder(from: string, to: string, aside: string): Promise<void> {
  do await unless(['ENOENT'], rename(to, join(aside, randomUUID())));
  while (!(await unless(['ENOTEMPTY', 'EEXIST'], rename(from, to))));
}

/** Returns true after success and false after an error with one of these codes. @throws other errors */
async function unless(codes: string[], work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && codes.includes(String(error.code))) return false;
    throw error;
  }
}
