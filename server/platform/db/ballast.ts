import { randomFillSync } from 'node:crypto';
import { open, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

// PostgreSQL needs some space to recover after its disk was full. The ballast is a file beside its data that is deleted
// for this, and created again when there is space.

const megabyte = 1024 * 1024;
const ballastBytes = 64 * megabyte;
/** The ballast is only created if this much stays free, so that it does not fill the disk itself. */
const minFreeBytes = 192 * megabyte;

const ballastPath = (folder: string) => join(folder, 'ballast');

/** Deletes the ballast if the disk has less free space than the ballast takes. @returns whether this freed space */
export async function releaseBallast(folder: string): Promise<boolean> {
  if ((await readFreeBytes(folder)) >= ballastBytes || !(await hasBallast(folder))) return false;
  await rm(ballastPath(folder), { force: true });
  return true;
}

/** Creates the ballast unless it exists or the disk has too little space. Only one process at a time may call it. */
export async function createBallast(folder: string): Promise<void> {
  if ((await hasBallast(folder)) || (await readFreeBytes(folder)) < ballastBytes + minFreeBytes) return;
  const draft = `${ballastPath(folder)}.unfinished`;
  try {
    await using file = await open(draft, 'w', 0o600);
    // Random bytes, because some file systems compress zeros.
    const part = Buffer.alloc(megabyte);
    for (let written = 0; written < ballastBytes; written += megabyte) await file.writeFile(randomFillSync(part));
    await file.sync();
    await rename(draft, ballastPath(folder));
  } finally {
    await rm(draft, { force: true });
  }
}

const hasBallast = (folder: string) =>
  stat(ballastPath(folder)).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );

async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
