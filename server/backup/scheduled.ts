import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ThreadContext } from '../jobs/run-in-thread.ts';
import { createBackupFile, unfinishedName } from './create-backup.ts';
import { completeBackup } from './store-runs.ts';

// Threads load this file, so it must not load the job queue.

/** The name of a scheduled backup. Names sort by time. Other files in the folder are never removed. */
const scheduledName = /^linksieve-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.zip$/;

const toName = (time: Date): string => `linksieve-${time.toISOString().slice(0, 19).replaceAll(':', '-')}.zip`;

export interface ScheduledBackup {
  runId: number;
  /** Absolute path. It must exist: if its disk is not mounted, the backup must fail. */
  folder: string;
  /** How many backups to keep, including the new one. */
  keep: number;
  secretKeyId: string;
  now: Date;
}

/**
 * Writes a backup to the folder and completes its run. Older ones are removed once the new one is complete and checked.
 * Runs in a thread.
 */
export async function writeScheduledBackup(
  { db, pool, onProgress }: ThreadContext<{ progress: number; message: string }>,
  { runId, folder, keep, secretKeyId, now }: ScheduledBackup,
): Promise<void> {
  await removeUnfinished(folder);
  const name = toName(now);
  const client = await pool.connect();
  try {
    const { bytes } = await createBackupFile(client, join(folder, name), {
      secretKeyId,
      // An abort ends the thread and its connections.
      signal: new AbortController().signal,
      onProgress: (share) => onProgress({ progress: Math.floor(share * 100), message: 'Writing the backup' }),
    });
    await removeOld(folder, keep);
    await completeBackup(db, runId, { name, bytes });
  } finally {
    // After an error, the connection may be in the middle of a COPY.
    client.release(true);
  }
}

/** Removes the files that killed processes left behind. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const complete = name.replace(unfinishedName, '');
    if (name !== complete && scheduledName.test(complete)) await rm(join(folder, name), { force: true });
  }
}

async function removeOld(folder: string, keep: number): Promise<void> {
  for (const name of (await listScheduled(folder)).slice(keep)) await rm(join(folder, name), { force: true });
}

/** Lists the scheduled backups in a folder, newest first. */
async function listScheduled(folder: string): Promise<string[]> {
  return (await readdir(folder))
    .filter((name) => scheduledName.test(name))
    .sort()
    .reverse();
}

/** Returns when the newest backup in a folder was completed; undefined if there is none, or no folder. */
export async function findNewestTime(folder: string): Promise<Date | undefined> {
  const [newest] = await listScheduled(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return [];
  });
  return newest === undefined ? undefined : (await stat(join(folder, newest))).mtime;
}
