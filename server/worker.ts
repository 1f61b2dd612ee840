import { PgBoss, type Queue } from 'pg-boss';
import { resetLinkJob, tidyAccountsJob } from './accounts/jobs.ts';
import { maintenanceJob } from './admin/jobs.ts';
import { analysisJob } from './backlinks/jobs.ts';
import type { Context } from './context.ts';
import { tidyCountsJob } from './domains/jobs.ts';
import { importJob } from './imports/jobs.ts';
import { type Job, PermanentJobError } from './jobs/job.ts';
import { mailDeadLetterJob, mailJob } from './mail/jobs.ts';
import { replyLostJob } from './messages/jobs.ts';
import {
  legacyCheckoutJob,
  legacySubscriptionJob,
  nightlySyncJob,
  paymentDeadLetterJob,
  syncPaymentsJob,
} from './subscriptions/jobs.ts';
import { sweepUploadsJob } from './sweep-uploads.ts';

/** Every kind of background work of the product. A queue stands behind the one that takes what it gives up. */
const kinds: Job<never>[] = [
  analysisJob,
  importJob,
  mailDeadLetterJob,
  mailJob,
  resetLinkJob,
  maintenanceJob,
  replyLostJob,
  paymentDeadLetterJob,
  syncPaymentsJob,
  nightlySyncJob,
  legacySubscriptionJob,
  legacyCheckoutJob,
  sweepUploadsJob,
  tidyCountsJob,
  tidyAccountsJob,
];

/** Opens the queues, and makes those that are missing: both a process that sends jobs and one that works them need it. */
export async function openJobs(databaseUrl: string, onError: (error: Error) => void): Promise<PgBoss> {
  const jobs = await startJobs(databaseUrl, onError);
  try {
    for (const { queue } of kinds) await openQueue(jobs, { ...usual, ...queue });
    return jobs;
  } catch (error) {
    await jobs.stop({ graceful: false });
    throw error;
  }
}

/** Opens the queues of a database that `openJobs` has seen before. */
export async function startJobs(
  databaseUrl: string,
  onError: (error: Error) => void,
  options: { migrate?: boolean; supervise?: boolean } = {},
): Promise<PgBoss> {
  const jobs = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'linksieve-jobs',
    max: 4,
    useListenNotify: true,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    maintenanceIntervalSeconds: 300,
    ...options,
  });
  jobs.on('error', onError);
  try {
    return await jobs.start();
  } catch (error) {
    await jobs.stop({ graceful: false });
    throw error;
  }
}

/** A worker that stops beating is taken for dead after this long, and its job starts again. */
const heartbeatSeconds = 15;

const usual = { retryLimit: 4, retryDelay: 1, heartbeatSeconds, expireInSeconds: 3600, notify: true };

/** Makes the queue, or brings the options of an older one up to date: all but its policy, which is for life. */
async function openQueue(jobs: PgBoss, { name, policy, ...options }: Queue): Promise<void> {
  if (await jobs.getQueue(name)) await jobs.updateQueue(name, options);
  else await jobs.createQueue(name, { policy, ...options });
}

/** Seconds between polls of a queue, which find retries that are due and jobs whose notification was lost. */
const defaultPolling = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 10 };

/** Works the queues until `signal` aborts, which makes running jobs give themselves back. */
export async function startWorker(context: Context, signal: AbortSignal, polling = defaultPolling): Promise<void> {
  for (const { queue, cron, run } of kinds) {
    if (cron) {
      await context.jobs.schedule(queue.name, cron);
      await context.jobs.send(queue.name, {}, { singletonKey: 'start', singletonSeconds: 60 });
    }
    const worker: Promise<string> = context.jobs.work<never>(
      queue.name,
      { ...polling, perJobResults: true },
      async ([job]) => {
        if (!job) return [];
        // Others may wait behind this one, whose notices are gone: the worker looks again as soon as it is done.
        context.jobs.notifyWorker(await worker);
        try {
          await run(context, job.data, AbortSignal.any([signal, job.signal]));
          return [{ id: job.id, status: 'completed' }];
        } catch (error) {
          if (!(error instanceof PermanentJobError)) throw error;
          return [{ id: job.id, status: 'deadletter', output: { message: error.message } }];
        }
      },
    );
    await worker;
  }
}
