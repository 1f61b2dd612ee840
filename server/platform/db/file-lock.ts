import { chmod, lchown, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { getErrorMessage, StartError } from '../../start-error.ts';

/** SQLITE_BUSY: another connection has locked the file. */
const busyCode = 5;

/**
 * Locks a file for this process, and creates it if it is missing. Node.js cannot lock files, but SQLite does it with
 * the operating system's locks on Linux, macOS and Windows. The system releases them when the process ends, however it
 * ends, and they also work between containers that share a volume. Nothing is written to the file.
 * @returns a function that unlocks the file; undefined if it is locked, by this process or another one
 * @throws StartError
 */
export async function lockFile(path: string): Promise<(() => void) | undefined> {
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(path);
    // Otherwise SQLite creates a second file.
    file.exec('pragma journal_mode = memory');
    file.exec('begin exclusive');
  } catch (error) {
    file?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === busyCode) return undefined;
    throw new StartError(
      `Linksieve cannot lock the file ${path}: ${getErrorMessage(error)}. Start it as the owner of this file, or set another DATA_DIR.`,
      { cause: error },
    );
  }
  const locked = file;
  // To open the file for this would end the lock when it is closed.
  await closeToOthers(path, 0o600);
  // After a command as root, the user who owns the folder must be able to lock the file too.
  if (process.getuid?.() === 0) {
    const { uid, gid } = await stat(dirname(path));
    await lchown(path, uid, gid);
  }
  return () => locked.close();
}

/** Sets the mode of a file or folder, unless it belongs to another user, who decides about it. Windows has no modes. */
export async function closeToOthers(path: string, mode: 0o600 | 0o700): Promise<void> {
  const user = process.getuid?.();
  if (user === undefined) return;
  const found = await stat(path);
  if ((found.mode & 0o777) !== mode && (user === 0 || found.uid === user)) await chmod(path, mode);
}
