import { fromKysely } from 'pg-boss';
import type { Context } from '../context.ts';
import { executeRun, type RunKind } from '../jobs/execute-run.ts';
import { job } from '../jobs/job.ts';
import { runInProcess } from '../processes/run-in-process.ts';
import { identifySecretKey } from './create-backup.ts';
import { findNewestTime, removeUnfinished, toScheduledName, type writeScheduledBackup } from './scheduled.ts';
import { deleteRunsBefore, insertRun } from './store-runs.ts';

const hourMs = 3_600_000;
const maxRunAgeMs = 90 * 24 * hourMs;
/** Half of the time between two looks, so that a backup does not start an hour later each day. */
const toleranceMs = hourMs / 2;

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

/** A backup of many domains may take longer than other jobs. The run's row limits the attempts. */
const backupQueue = { name: 'backup', retryLimit: 1000, expireInSeconds: 12 * 3600 };

export const backupJob = job<{ runId: number }>({
  queue: backupQueue,
  async run(context, { runId }, signal) {
    const { config, secretKey, now } = context;
    const { backup } = config;
    const name = toScheduledName(now());
    // A process that is ended cannot remove its file. If that fills the disk, the next run would wait for space forever.
    const tidy = async (only?: string) => {
      if (backup) await removeUnfinished(backup.folder, only).catch(ignoreFolderError);
    };
    await tidy();
    try {
      await executeRun(context, backupRunKind, runId, signal, async (run) => {
        if (!backup) throw new Error('BACKUP_DIR is not set.');
        const { folder, keep } = backup;
        await runInProcess<typeof writeScheduledBackup>(
          context,
          { module: new URL('./scheduled.ts', import.meta.url), name: 'writeScheduledBackup' },
          { runId, folder, keep, secretKeyId: identifySecretKey(secretKey), name },
          run,
        );
      });
    } finally {
      await tidy(name);
    }
  },
});

/** The run fails with a message about the folder. */
function ignoreFolderError(error: NodeJS.ErrnoException): void {
  if (!(error.code && error.code in failureMessages)) throw error;
}

/** Looks every hour whether a backup is due. */
export const backupScheduleJob = job<object>({
  queue: { name: 'backup-schedule', retryLimit: 0 },
  cron: '23 * * * *',
  run: startDueBackup,
});

/** Starts a backup if the newest one in the folder is older than the interval, and none is running. */
export async function startDueBackup({
  config,
  db,
  jobs,
  now,
}: Pick<Context, 'config' | 'db' | 'jobs' | 'now'>): Promise<void> {
  const { backup } = config;
  if (!backup) return;
  const newest = await findNewestTime(backup.folder, now());
  if (newest && now().getTime() - newest.getTime() < backup.hours * hourMs - toleranceMs) return;
  await db.transaction().execute(async (trx) => {
    await deleteRunsBefore(trx, new Date(now().getTime() - maxRunAgeMs));
    const runId = await insertRun(trx, backupRunKind.queuedMessage, now());
    if (runId !== undefined) await jobs.send(backupQueue.name, { runId }, { db: fromKysely(trx) });
  });
}
