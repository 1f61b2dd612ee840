import { setTimeout as delay } from 'node:timers/promises';
import { PgBoss, type Queue } from 'pg-boss';
import { confirmationEmailJob, deleteExpiredEmailChangesJob } from './account-data/jobs.ts';
import { deleteExpiredSignInDataJob, resetLinkJob } from './accounts/jobs.ts';
import { maintenanceJob } from './admin/jobs.ts';
import { deleteOldAlertsJob } from './alerts/jobs.ts';
import { analysisJob } from './backlinks/jobs.ts';
import type { Context } from './context.ts';
import { digestJob, refusedMailJob, reminderJob } from './digests/jobs.ts';
import { deleteExpiredListsJob } from './domain-lists/jobs.ts';
import { compactCountsJob } from './domains/jobs.ts';
import { deleteOldRunsJob, feedJob, feedScheduleJob } from './feeds/jobs.ts';
import { importJob } from './imports/jobs.ts';
import { type Job, PermanentJobError } from './jobs/job.ts';
import { mailDeadLetterJob, mailJob } from './mail/jobs.ts';
import { failedReplyJob } from './messages/jobs.ts';
import { deleteExpiredSharesJob } from './reports/jobs.ts';
import { sourceRunJob } from './sources/jobs.ts';
import {
  legacyCheckoutJob,
  legacySubscriptionJob,
  nightlySyncJob,
  paymentDeadLetterJob,
  syncPaymentsJob,
} from './subscriptions/jobs.ts';
import { sweepUploadsJob } from './sweep-uploads.ts';
import { deleteOldChangesJob, matchingJob } from './watch/jobs.ts';
import { deleteOldDeliveriesJob, webhookJob } from './webhooks/jobs.ts';

/** Every background job of the product. A dead letter queue must come before the queue that uses it. */
const jobKinds: Job<never>[] = [
  analysisJob,
  importJob,
  feedJob,
  feedScheduleJob,
  deleteOldRunsJob,
  matchingJob,
  deleteOldChangesJob,
  deleteOldAlertsJob,
  mailDeadLetterJob,
  mailJob,
  digestJob,
  reminderJob,
  refusedMailJob,
  resetLinkJob,
  confirmationEmailJob,
  maintenanceJob,
  sourceRunJob,
  failedReplyJob,
  paymentDeadLetterJob,
  syncPaymentsJob,
  nightlySyncJob,
  legacySubscriptionJob,
  legacyCheckoutJob,
  sweepUploadsJob,
  compactCountsJob,
  deleteExpiredSignInDataJob,
  deleteExpiredEmailChangesJob,
  deleteExpiredListsJob,
  deleteExpiredSharesJob,
  webhookJob,
  deleteOldDeliveriesJob,
];

/**
 * Connects to the job queues and creates missing ones. Needed by processes that send jobs and by those that run them.
 */
export async function openQueues(databaseUrl: string, onError: (error: Error) => void): Promise<PgBoss> {
  const jobs = await connectQueues(databaseUrl, onError);
  try {
    for (const { queue, everySeconds } of jobKinds) {
      await createOrUpdateQueue(jobs, { ...defaultQueueOptions, ...(everySeconds && intervalQueueOptions), ...queue });
    }
    return jobs;
  } catch (error) {
    await jobs.stop({ graceful: false });
    throw error;
  }
}

/** Connects to the job queues that `openQueues` created in the same database earlier. */
export async function connectQueues(
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

/** A worker without a heartbeat for this long counts as dead, and its job restarts. */
const heartbeatSeconds = 15;

const defaultQueueOptions = { retryLimit: 4, retryDelay: 1, heartbeatSeconds, expireInSeconds: 3600, notify: true };

/** A job is scheduled every minute and repeats its work for about as long. The next one waits until it has ended. */
const intervalQueueOptions = {
  policy: 'stately',
  retryLimit: 0,
  expireInSeconds: 600,
  deleteAfterSeconds: 3600,
} as const;
const repeatForMs = 55_000;

/** Creates the queue, or updates the options of an existing one, except its policy: pg-boss cannot change that. */
async function createOrUpdateQueue(jobs: PgBoss, { name, policy, ...options }: Queue): Promise<void> {
  if (await jobs.getQueue(name)) await jobs.updateQueue(name, options);
  else await jobs.createQueue(name, { policy, ...options });
}

/** Seconds between polls of a queue. Polling finds due retries and jobs whose notification was lost. */
const defaultPolling = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 10 };

/** Runs the jobs of all queues until `signal` aborts. Running jobs then return to their queues. */
export async function startWorker(context: Context, signal: AbortSignal, polling = defaultPolling): Promise<void> {
  for (const { queue, everySeconds, cron = everySeconds && '* * * * *', concurrency = 1, run } of jobKinds) {
    if (cron) {
      await context.jobs.schedule(queue.name, cron);
      await context.jobs.send(queue.name, {}, { singletonKey: 'start', singletonSeconds: 60 });
    }
    for (let i = 0; i < concurrency; i += 1) {
      const worker: Promise<string> = context.jobs.work<never>(
        queue.name,
        { ...polling, perJobResults: true },
        async ([job]) => {
          if (!job) return [];
          // Notifications that arrive while this job runs are lost: the worker polls again as soon as the job is done.
          context.jobs.notifyWorker(await worker);
          try {
            const stopping = AbortSignal.any([signal, job.signal]);
            await run(context, job.data, stopping);
            if (everySeconds) await repeat(() => run(context, job.data, stopping), everySeconds, stopping);
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
}

/** Runs work after each interval until the next job is due. */
async function repeat(work: () => Promise<void>, seconds: number, stopping: AbortSignal): Promise<void> {
  const until = performance.now() + repeatForMs;
  while (performance.now() < until) {
    await delay(seconds * 1000, undefined, { signal: stopping });
    await work();
  }
}
