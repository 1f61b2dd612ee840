import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { WrongUse } from './stop.ts';

/**
 * Keeps other runs of the command from a file for as long as this process lives, by a file with its number beside it. That of
 * a process that is gone is taken over. Throws WrongUse while another run has the file; system errors of the folder.
 */
export function lockFile(path: string): void {
  const lock = `${path}.lock`;
  const file = create(lock) ?? takeOver(path, lock);
  process.once('exit', () => rmSync(lock, { force: true }));
  try {
    writeSync(file, `${process.pid}\n`);
  } finally {
    closeSync(file);
  }
}

function takeOver(path: string, lock: string): number {
  const pid = /^([1-9]\d{0,9})\n$/.exec(readFileSync(lock, 'latin1'))?.[1];
  // Without a number it may be a person's, or that of a run which is just beginning.
  if (pid !== undefined && !isAlive(Number(pid))) {
    rmSync(lock, { force: true });
    const file = create(lock);
    if (file !== undefined) return file;
  }
  throw new WrongUse(
    `Another run writes into ${path}. Wait for its end, or name another file after --out. If there is none, remove ${lock}.`,
  );
}

/** Undefined where the file is there already. */
function create(lock: string): number | undefined {
  try {
    return openSync(lock, 'wx');
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined;
    throw error;
  }
}

/** In a container a new run often has the number of the one before. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);
