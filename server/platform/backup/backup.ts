import { Registry } from 'prom-client';
import type { BackupStatus } from '#shared/platform/backup.ts';
import type { Context } from '../../context.ts';
import { addGauges } from '../http/gauges.ts';
import { type FinishedRun, listFinishedRuns } from './store-runs.ts';

/** Returns the state of the scheduled backups; null if they are off. */
export async function readBackupStatus({ config, db }: Pick<Context, 'config' | 'db'>): Promise<BackupStatus | null> {
  if (!config.backup) return null;
  const [backups, copies, tests] = await Promise.all([
    listFinishedRuns(db, 'backup'),
    config.backup.bucket ? listFinishedRuns(db, 'copy') : undefined,
    listFinishedRuns(db, 'test'),
  ]);
  const lastTest = findLast(tests);
  return {
    intervalHours: config.backup.hours,
    isEncrypted: config.backupKey !== undefined,
    ...toOutcome(backups),
    copy: copies ? toOutcome(copies) : null,
    test: {
      ...toOutcome(tests),
      rows: lastTest?.rows ?? null,
      tables: lastTest?.tables ?? null,
      seconds: lastTest?.seconds ?? null,
      isFromBucket: lastTest?.isFromBucket ?? null,
      obstacle: tests[0]?.refused ? tests[0].message : null,
    },
  };
}

const findLast = (runs: readonly FinishedRun[]) => runs.find(({ status }) => status === 'completed');

/** Refused runs, which this installation cannot do, do not count as failures. */
function toOutcome(runs: readonly FinishedRun[]) {
  const last = findLast(runs);
  const [newest] = runs;
  return {
    dateLast: last?.finishedAt?.toISOString() ?? null,
    bytes: last?.bytes ?? null,
    failures: runs.filter(({ status, refused }) => status === 'failed' && !refused).length,
    error: newest?.status === 'failed' && !newest.refused ? newest.message : null,
  };
}

const toTimestamp = (date: string | null | undefined) => (date ? Date.parse(date) / 1000 : undefined);

/**
 * Returns metrics of the scheduled backups for Prometheus. They are absent if backups are off or the database does not
 * respond.
 */
export function createBackupMetrics(context: Pick<Context, 'config' | 'db' | 'log'>): Registry {
  const registry = new Registry();
  addGauges(registry, context.log, {
    read: async () => {
      const status = await readBackupStatus(context);
      return status ? [status] : [];
    },
    labels: [],
    gauges: {
      linksieve_backup_last_success_timestamp_seconds: {
        help: 'When the last scheduled backup was completed.',
        value: ({ dateLast }) => toTimestamp(dateLast),
      },
      linksieve_backup_size_bytes: {
        help: 'Size of the last scheduled backup.',
        value: ({ bytes }) => bytes ?? undefined,
      },
      linksieve_backup_failures: {
        help: 'Failed scheduled backups since the last successful one.',
        value: ({ failures }) => failures,
      },
      linksieve_backup_copy_last_success_timestamp_seconds: {
        help: 'When a scheduled backup was last copied to the bucket.',
        value: ({ copy }) => toTimestamp(copy?.dateLast),
      },
      linksieve_backup_copy_failures: {
        help: 'Failed copies of backups since the last successful one.',
        value: ({ copy }) => copy?.failures,
      },
      linksieve_backup_test_last_success_timestamp_seconds: {
        help: 'When a backup was last restored as a test.',
        value: ({ test }) => toTimestamp(test.dateLast),
      },
      linksieve_backup_test_duration_seconds: {
        help: 'Duration of the last successful test restore, in seconds.',
        value: ({ test }) => test.seconds ?? undefined,
      },
      linksieve_backup_test_rows: {
        help: 'Rows that the last successful test restore compared.',
        value: ({ test }) => test.rows ?? undefined,
      },
      linksieve_backup_test_failures: {
        help: 'Failed test restores since the last successful one.',
        value: ({ test }) => test.failures,
      },
    },
  });
  return registry;
}
