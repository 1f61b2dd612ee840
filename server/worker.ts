import { PgBoss } from 'pg-boss';
import { analysisJob } from './backlinks/jobs.ts';
import type { Context } from './context.ts';
import { tidyCountsJob } from './domains/jobs.ts';
import { importJob, sweepUploadsJob } from './imports/jobs.ts';
import type { Job } from './job.ts';
import { heartbeatSeconds } from './job.ts';

/** Every kind of background work of the product. */
const kinds: Job<never>[] = [analysisJob, importJob, sweepUploadsJob, tidyCountsJob];

/** Opens the queues: both a process that sends jobs and one that works them need it. */
export async function openJobs(databaseUrl: string, onError: (error: Error) => void): Promise<PgBoss> {
  const jobs = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'linksieve-jobs',
    max: 4,
    useListenNotify: true,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    maintenanceIntervalSeconds: 300,
  });
  jobs.on('error', onError);
  await jobs.start();
  for (const { queue } of kinds) {
    const options = { retryLimit: 4, retryDelay: 1, heartbeatSeconds, expireInSeconds: 3600, notify: true, ...queue };
    if (await jobs.getQueue(queue.name)) await jobs.updateQueue(queue.name, options);
    else await jobs.createQueue(queue.name, options);
  }
  return jobs;
}

/** Works the queues until `signal` aborts, which makes running jobs give themselves back. */
export async function startWorker(context: Context, signal: AbortSignal): Promise<void> {
  for (const { queue, cron, run } of kinds) {
    if (cron) {
      await context.jobs.schedule(queue.name, cron);
      await context.jobs.send(queue.name, {}, { singletonKey: 'start', singletonSeconds: 60 });
    }
    const worker: Promise<string> = context.jobs.work<never>(
      queue.name,
      { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 10 },
      async ([job]) => {
        if (!job) return;
        // Others may wait behind this one, whose notices are gone: the worker looks again as soon as it is done.
        context.jobs.notifyWorker(await worker);
        await run(context, job.data, AbortSignal.any([signal, job.signal]));
      },
    );
    await worker;
  }
}
