import { executeRun, type RunKind } from '../jobs/execute-run.ts';
import { job } from '../jobs/job.ts';
import { runInThread } from '../jobs/run-in-thread.ts';
import type { updateDomainsOfSources } from './update-domains.ts';

/**
 * The run's row limits the attempts. The queue's own limit is high, because it also counts jobs that a server stop
 * interrupted.
 */
export const sourceRunQueue = { name: 'source-runs', retryLimit: 1000 };

export const sourceRunKind = {
  table: 'source_runs',
  queuedMessage: 'Waiting to start',
  failedMessage: 'Something went wrong on our side. The domains that are done stay updated. Please try again.',
} satisfies RunKind;

export const sourceRunJob = job<{ runId: number }>({
  queue: sourceRunQueue,
  run: (context, { runId }, signal) =>
    executeRun(context, sourceRunKind, runId, signal, (run) =>
      runInThread<typeof updateDomainsOfSources>(
        context,
        { module: new URL('./update-domains.ts', import.meta.url), name: 'updateDomainsOfSources' },
        runId,
        run,
      ),
    ),
});
