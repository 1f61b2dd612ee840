import { execFile } from 'node:child_process';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs a trial with the folder of a disk of this size, as root. @returns the result of the trial */
export async function withSmallDisk(megabytes: number, trial: (disk: string) => Promise<string>): Promise<string> {
  const disk = await mkdtemp(join(tmpdir(), 'linksieve-disk-'));
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', disk]);
  try {
    return await trial(disk);
  } finally {
    await run('umount', ['-l', disk]);
    await rm(disk, { recursive: true });
  }
}

/** Appends to a file until its disk has no space left. */
export async function fillDisk(path: string): Promise<void> {
  const file = await open(path, 'a');
  try {
    for (const bytes of [1_048_576, 4096]) {
      const part = Buffer.alloc(bytes);
      while (await append(file, part));
    }
  } finally {
    await file.close();
  }
}

/** @returns whether there was space */
async function append(file: FileHandle, part: Buffer): Promise<boolean> {
  try {
    return (await file.write(part)).bytesWritten === part.length;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false;
    throw error;
  }
}
