import { executeRun, type RunKind } from '../../platform/jobs/execute-run.ts';
import { job } from '../../platform/jobs/job.ts';
import type { runMaintenance } from './run-maintenance.ts';

/**
 * The run's row limits the attempts. The queue's own limit is high, because it also counts jobs that a server stop
 * interrupted.
 */
export const maintenanceQueue = { name: 'maintenance', retryLimit: 1000 };

export const maintenanceRunKind = {
  table: 'maintenance_runs',
  queuedMessage: 'Waiting to start',
  failedMessage: 'Something went wrong on our side. Nothing was lost. Please try again.',
  freesSpace: true,
} satisfies RunKind;

export const maintenanceJob = job<{ runId: number }>({
  queue: maintenanceQueue,
  run: (context, { runId }, signal) =>
    executeRun(context, maintenanceRunKind, { id: runId, stopping: signal }, (run) =>
      context.runWork<typeof runMaintenance>(
        context,
        { module: new URL('./run-maintenance.ts', import.meta.url), name: 'runMaintenance' },
        runId,
        run,
      ),
    ),
});
