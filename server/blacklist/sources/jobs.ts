import { executeRun, type RunKind } from '../../platform/jobs/execute-run.ts';
import { job } from '../../platform/jobs/job.ts';
import { queuedMessage, queueSourceRuns, sourceRunQueue } from './queue-runs.ts';
import type { updateDomainsOfSources } from './update-domains.ts';

const sourceRunKind: RunKind = {
  table: 'source_runs',
  queuedMessage,
  failedMessage: 'Something went wrong on our side. Domains that were already updated stay updated. Please try again.',
};

export const sourceRunJob = job<{ runId: number }>({
  queue: sourceRunQueue,
  run: (context, { runId }, signal) =>
    executeRun(context, sourceRunKind, { id: runId, stopping: signal }, (run) =>
      context.runWork<typeof updateDomainsOfSources>(
        context,
        { module: new URL('./update-domains.ts', import.meta.url), name: 'updateDomainsOfSources' },
        runId,
        run,
      ),
    ),
});

/** Continues runs without a job. The runs of a restored backup have none. */
export const queueSourceRunsJob = job<object>({
  queue: { name: 'queue-source-runs', retryLimit: 0 },
  cron: '*/10 * * * *',
  run: queueSourceRuns,
});
