import { constants, createWriteStream } from 'node:fs';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

const maxBytes = 10 * 1024 * 1024;

/**
 * If the log of the database server has reached 10 MB, moves its text to a file with the suffix `.1`. The server keeps
 * the file open and appends to it, so the file is copied and emptied.
 */
export async function limitLogSize(path: string): Promise<void> {
  if ((await getSize(path)) < maxBytes) return;
  // If Linksieve runs as root, the user of the server could replace both files by links to any file of this machine, so
  // links are not followed.
  await rm(`${path}.1`, { force: true });
  const file = await open(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  try {
    const copy = createWriteStream(`${path}.1`, { flags: 'wx', mode: 0o600 });
    await pipeline(file.createReadStream({ autoClose: false }), copy);
    await file.truncate();
  } finally {
    await file.close();
  }
}

/** Returns the bytes of a file; 0 if it does not exist. */
export async function getSize(path: string): Promise<number> {
  return await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Returns the text of a file from a byte on; '' if it does not exist. */
export async function readTextFrom(path: string, start: number): Promise<string> {
  return await readFile(path).then(
    (bytes) => bytes.subarray(start).toString(),
    () => '',
  );
}
