import { job } from '../jobs/job.ts';
import { runMaintenance } from './run-maintenance.ts';

/** Given back as often as the process stops: what ends a hopeless run is counted on its row. */
export const maintenanceQueue = { name: 'maintenance', retryLimit: 1000 };

export const maintenanceJob = job<{ runId: number }>({
  queue: maintenanceQueue,
  run: (context, { runId }, signal) => runMaintenance(context, runId, signal),
});
