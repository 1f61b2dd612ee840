import { Gauge, Registry } from 'prom-client';
import type { BackupStatus } from '#shared/admin.ts';
import type { Context } from '../context.ts';
import { listFinishedRuns } from './store-runs.ts';

/** Returns the state of the scheduled backups; null if they are off. */
export async function readBackupStatus({ config, db }: Pick<Context, 'config' | 'db'>): Promise<BackupStatus | null> {
  if (!config.backup) return null;
  const runs = await listFinishedRuns(db);
  const last = runs.find(({ status }) => status === 'completed');
  const [newest] = runs;
  return {
    intervalHours: config.backup.hours,
    dateLast: last?.finishedAt?.toISOString() ?? null,
    bytes: last?.bytes ?? null,
    failures: runs.length - (last ? 1 : 0),
    error: newest?.status === 'failed' ? newest.message : null,
  };
}

/**
 * Returns metrics of the scheduled backups for Prometheus. They are absent if backups are off or the database does not
 * respond.
 */
export function createBackupMetrics(context: Pick<Context, 'config' | 'db' | 'log'>): Registry {
  const registry = new Registry();
  const create = (name: string, help: string, toValue: (status: BackupStatus) => number | null) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.reset();
        this.remove();
        try {
          const status = await readBackupStatus(context);
          const value = status && toValue(status);
          if (value !== null) this.set(value);
        } catch (error) {
          context.log.warn({ err: error }, 'could not read the backups for metrics');
        }
      },
    });
  create(
    'linksieve_backup_last_success_timestamp_seconds',
    'When the last scheduled backup was completed.',
    ({ dateLast }) => (dateLast === null ? null : Date.parse(dateLast) / 1000),
  );
  create('linksieve_backup_size_bytes', 'Size of the last scheduled backup.', ({ bytes }) => bytes);
  create('linksieve_backup_failures', 'Failed scheduled backups since the last good one.', ({ failures }) => failures);
  return registry;
}
