import type { Topic } from '../../topic.ts';
import { runRetention } from '../jobs/retention.ts';
import { createBackupMetrics } from './backup.ts';
import { backupCopyJob, backupJob, backupScheduleJob, backupTestJob } from './jobs.ts';

export const backupTopic: Topic = {
  jobs: [backupJob, backupCopyJob, backupTestJob, backupScheduleJob],
  metrics: createBackupMetrics,
  retention: [runRetention('backup_runs')],
  tables: { backup_runs: {} },
};
