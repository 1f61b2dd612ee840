import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fromKysely } from 'pg-boss';
import type { Context } from '../../context.ts';
import { executeRun, type Run, type RunKind } from '../jobs/execute-run.ts';
import { job } from '../jobs/job.ts';
import { identifySecretKey } from './create-backup.ts';
import { createBackupKeys } from './keys.ts';
import { findNewestTime, removeUnfinished, toScheduledName, type writeScheduledBackup } from './scheduled.ts';
import { BackupBucketError, copyBackup, downloadBackup, withBackupBucket } from './second-place.ts';
import { type BackupRunKind, findNewestBackup, insertRun, listFinishedRuns } from './store-runs.ts';
import { dropAbandonedTestDatabase } from './store-weekly-test.ts';
import type { testRestore } from './weekly-test.ts';

const hourMs = 3_600_000;
/** Half of the time between two looks, so that a backup does not start an hour later each day. */
const toleranceMs = hourMs / 2;
const testIntervalMs = 7 * 24 * hourMs;
/** The interval after a failed test. */
const repeatedTestMs = 24 * hourMs;

/** By the code of the system error. Admins do not see paths. */
const failureMessages: Record<string, string> = {
  ENOENT: 'The folder in BACKUP_DIR does not exist. Create it, or mount its disk.',
  ENOSPC: 'The disk of BACKUP_DIR is full. Free some space, or reduce BACKUP_KEEP.',
  EDQUOT: 'The disk of BACKUP_DIR is full. Free some space, or reduce BACKUP_KEEP.',
  EACCES: 'Linksieve has no permission to write to the folder in BACKUP_DIR. Change its owner.',
  EROFS: 'The disk of BACKUP_DIR is read-only. Mount it for writing.',
};

const backupRunKind = {
  table: 'backup_runs',
  queuedMessage: 'Waiting to start',
  failedMessage: 'Something went wrong on our side. The log of the server has the details.',
  describeFailure: (error) =>
    error instanceof Error && 'code' in error ? failureMessages[String(error.code)] : undefined,
} satisfies RunKind;

const copyRunKind = {
  ...backupRunKind,
  // A copy writes nothing to the disk.
  freesSpace: true,
  describeFailure(error) {
    if (error instanceof BackupBucketError) return error.message;
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isGone ? 'The backup is not in BACKUP_DIR. Check whether its disk is mounted.' : undefined;
  },
} satisfies RunKind;

const testRunKind = {
  ...backupRunKind,
  // Errors of a process keep their name, but not their class.
  isRefusal: (error) => error.name === 'TestImpossible',
  describeFailure(error) {
    if (error instanceof BackupBucketError) return `The copy in the bucket cannot be read. ${error.message}`;
    if (error instanceof Error && error.name === 'TestFailed') return error.message;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return testFailureMessages[code] ?? 'The backup could not be restored. The log of the server has the details.';
  },
} satisfies RunKind;

const testFailureMessages: Record<string, string> = {
  ENOENT: 'The newest backup is missing. Check whether the disk of BACKUP_DIR is mounted.',
  ENOSPC: 'The disk was too full for a test restore.',
};

/** Work with many domains may take longer than other jobs. The run's row limits the attempts. */
const queueOptions = { retryLimit: 1000, expireInSeconds: 12 * 3600 };
const queueNames = { backup: 'backup', copy: 'backup-copy', test: 'backup-test' };

export const backupJob = job<{ runId: number }>({
  queue: { name: queueNames.backup, ...queueOptions },
  async run(context, { runId }, signal) {
    const { config, secretKey, now } = context;
    const { backup } = config;
    const name = toScheduledName(now(), config.backupKey !== undefined);
    // A process that is ended cannot remove its file. If that fills the disk, the next run would wait for space
    // forever.
    const tidy = async (only?: string) => {
      if (backup) await removeUnfinished(backup.folder, only).catch(ignoreFolderError);
    };
    await tidy();
    try {
      await executeRun(context, backupRunKind, { id: runId, stopping: signal }, async (run) => {
        if (!backup) throw new Error('BACKUP_DIR is not set.');
        const { folder, keep } = backup;
        await context.runWork<typeof writeScheduledBackup>(
          context,
          { module: new URL('./scheduled.ts', import.meta.url), name: 'writeScheduledBackup' },
          {
            runId,
            folder,
            keep,
            name,
            secretKeyId: identifySecretKey(secretKey.current),
            keys: createBackupKeys(config.backupKey, secretKey),
          },
          run,
        );
      });
    } finally {
      await tidy(name);
    }
    await startDueCopy(context);
    await startDueTest(context);
  },
});

export const backupCopyJob = job<{ runId: number }>({
  queue: { name: queueNames.copy, ...queueOptions },
  async run(context, { runId }, signal) {
    await executeRun(context, copyRunKind, { id: runId, stopping: signal }, (run) =>
      copyBackup(context, runId, run.signal),
    );
    await startDueTest(context);
  },
});

export const backupTestJob = job<{ runId: number }>({
  queue: { name: queueNames.test, ...queueOptions },
  async run(context, { runId }, signal) {
    try {
      await executeRun(context, testRunKind, { id: runId, stopping: signal }, (run) =>
        testNewestBackup(context, runId, run),
      );
    } finally {
      await dropAbandonedTestDatabase(context.pool);
    }
  },
});

/** Restores the newest backup as a test: the copy in the bucket, if there is one. */
async function testNewestBackup(context: Context, runId: number, run: Run): Promise<void> {
  const { config, databaseUrl, db, files, log, secretKey } = context;
  const newest = await findNewestBackup(db);
  if (!config.backup || !newest) throw new Error('There is no backup to test.');
  const { name, isCopied } = newest;
  const { bucket: bucketConfig, folder } = config.backup;
  const local = join(folder, name);
  const test = async (path: string, isFromBucket: boolean) => {
    const { hasDatabase, spareBytes } = await files.readSpace();
    await context.runWork<typeof testRestore>(
      // A test needs nothing from the tables of the installation.
      { ...context, beforeWork: undefined },
      { module: new URL('./weekly-test.ts', import.meta.url), name: 'testRestore' },
      {
        runId,
        name,
        path,
        isFromBucket,
        // With several machines, the file may be on another one.
        otherPath: isFromBucket && existsSync(local) ? local : undefined,
        keys: createBackupKeys(config.backupKey, secretKey),
        databaseUrl,
        spareBytes: hasDatabase ? spareBytes : undefined,
      },
      run,
    );
  };
  if (!bucketConfig || !isCopied) return await test(local, false);
  // If the process is killed, the sweep of uploads removes this folder.
  const temporary = await files.createFolder();
  try {
    const path = join(files.locate(temporary), name);
    await withBackupBucket(bucketConfig, log, (bucket) => downloadBackup({ bucket, files }, name, path, run.signal));
    await test(path, true);
  } finally {
    await files.remove(temporary);
  }
}

/** The run fails with a message about the folder. */
function ignoreFolderError(error: NodeJS.ErrnoException): void {
  if (!(error.code && error.code in failureMessages)) throw error;
}

type Starter = Pick<Context, 'config' | 'db' | 'jobs' | 'now'>;

/** Looks every hour whether a backup, its copy or a test restore is due. */
export const backupScheduleJob = job<object>({
  queue: { name: 'backup-schedule', retryLimit: 0 },
  cron: '23 * * * *',
  async run(context) {
    await startDueBackup(context);
    await startDueCopy(context);
    await startDueTest(context);
    if (context.config.backup) await dropAbandonedTestDatabase(context.pool);
  },
});

/** Starts a backup if the newest one in the folder is older than the interval, and none is running. */
export async function startDueBackup(context: Starter): Promise<void> {
  const { backup } = context.config;
  if (!backup) return;
  const newest = await findNewestTime(backup.folder, context.now());
  if (newest && context.now().getTime() - newest.getTime() < backup.hours * hourMs - toleranceMs) return;
  await startRun(context, 'backup');
}

/** Starts the copy of the newest backup if it is not in the bucket. */
export async function startDueCopy(context: Starter): Promise<void> {
  if (!context.config.backup?.bucket) return;
  const newest = await findNewestBackup(context.db);
  if (newest && !newest.isCopied) await startRun(context, 'copy', newest.name);
}

/**
 * Starts a test restore if there is a backup and the last test is a week old, or failed a day ago. It waits for the
 * copy in the bucket, unless the copy failed.
 */
export async function startDueTest(context: Starter): Promise<void> {
  const { config, db, now } = context;
  const newest = config.backup && (await findNewestBackup(db));
  if (!newest) return;
  if (config.backup?.bucket && !newest.isCopied) {
    const [lastCopy] = await listFinishedRuns(db, 'copy');
    if (lastCopy?.status !== 'failed') return;
  }
  const [last] = await listFinishedRuns(db, 'test');
  const intervalMs = last?.status === 'completed' ? testIntervalMs : repeatedTestMs;
  if (last && now().getTime() - last.createdAt.getTime() < intervalMs - toleranceMs) return;
  await startRun(context, 'test');
}

async function startRun({ db, jobs, now }: Starter, kind: BackupRunKind, fileName?: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const message = backupRunKind.queuedMessage;
    const runId = await insertRun(trx, { kind, message, now: now(), ...(fileName && { fileName }) });
    if (runId !== undefined) await jobs.send(queueNames[kind], { runId }, { db: fromKysely(trx) });
  });
}
