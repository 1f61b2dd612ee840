import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessContext } from '../processes/run-in-process.ts';
import { createBackupFile, unfinishedName } from './create-backup.ts';
import type { BackupKeys } from './keys.ts';
import { completeBackup } from './store-runs.ts';

// The processes of runs load this file, so it must not load the job queue.

/** The name of a scheduled backup. Names sort by time. Other files in the folder are never removed. */
const scheduledName = /^linksieve-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.zip(?:\.age)?$/;

export const isScheduledName = (name: string): boolean => scheduledName.test(name);

/** Returns the name of a scheduled backup. An encrypted one ends like other files of the program `age`. */
export const toScheduledName = (time: Date, isEncrypted: boolean): string =>
  `linksieve-${time.toISOString().slice(0, 19).replaceAll(':', '-')}.zip${isEncrypted ? '.age' : ''}`;

export interface ScheduledBackup {
  runId: number;
  /** Absolute path. It must exist: if its disk is not mounted, the backup must fail. */
  folder: string;
  /** How many backups to keep, including the new one. */
  keep: number;
  secretKeyId: string;
  keys: BackupKeys;
  name: string;
}

/**
 * Writes a backup to the folder and completes its run. Older ones are removed once the new one is complete and checked.
 * Runs in a process of its own.
 */
export async function writeScheduledBackup(
  { db, pool, onProgress }: ProcessContext<{ progress: number; message: string }>,
  { runId, folder, keep, secretKeyId, keys, name }: ScheduledBackup,
): Promise<void> {
  const client = await pool.connect();
  try {
    const { bytes } = await createBackupFile(client, join(folder, name), {
      secretKeyId,
      keys,
      // An abort ends the process and its connections.
      signal: new AbortController().signal,
      onProgress: (share) => onProgress({ progress: Math.floor(share * 100), message: 'Writing the backup' }),
    });
    await removeOld(folder, keep, name);
    await completeBackup(db, runId, { name, bytes, isSealed: keys.seals.length > 0 });
  } finally {
    // After an error, the connection may be in the middle of a COPY.
    client.release(true);
  }
}

/** Removes what unfinished backups left behind: all, or only that with this name. */
export async function removeUnfinished(folder: string, only?: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const complete = name.replace(unfinishedName, '');
    if (name === complete || !isScheduledName(complete)) continue;
    if (only === undefined || complete === only) await rm(join(folder, name), { force: true });
  }
}

/** Never removes the new backup, which does not have the last name if the clock was ahead before. */
async function removeOld(folder: string, keep: number, newName: string): Promise<void> {
  for (const name of selectOld(await listScheduled(folder), keep, newName))
    await rm(join(folder, name), { force: true });
}

/** Selects the backups that are removed when there is a new one. `names` start with the newest. */
export function selectOld(names: readonly string[], keep: number, newName: string): string[] {
  return names.filter((name) => name !== newName).slice(keep - 1);
}

/** Lists the scheduled backups in a folder, newest first. */
export async function listScheduled(folder: string): Promise<string[]> {
  return (await readdir(folder))
    .filter((name) => isScheduledName(name))
    .sort()
    .reverse();
}

/**
 * Returns when the newest backup in a folder was completed; undefined if there is none, or no folder. Times after `now`
 * come from a clock that was ahead, and do not count.
 */
export async function findNewestTime(folder: string, now: Date): Promise<Date | undefined> {
  const names = await listScheduled(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return [];
  });
  let newest: Date | undefined;
  for (const name of names) {
    const { mtime } = await stat(join(folder, name));
    if (mtime <= now && (newest === undefined || mtime > newest)) newest = mtime;
  }
  return newest;
}
