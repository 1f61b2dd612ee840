import { setTimeout as delay } from 'node:timers/promises';
import { PgBoss, type Queue } from 'pg-boss';
import type { Context } from './context.ts';
import { type Job, PermanentJobError, type RepeatedWork, type Work } from './platform/jobs/job.ts';
import { correctQueueTimes, listQueuesWithRetries, restartInterruptedJobs } from './platform/jobs/queue-times.ts';
import { retentionJob } from './retention.ts';
import { sweepUploadsJob } from './sweep-uploads.ts';
import { topics } from './topics.ts';

/** Every background job of the product. A dead letter queue must come before the queue that uses it. */
const jobKinds: Job<never>[] = [...topics.flatMap(({ jobs }) => jobs ?? []), sweepUploadsJob, retentionJob];

const queueTimes: RepeatedWork = { name: 'queue-times', everySeconds: 60, run: ({ db }) => correctQueueTimes(db) };

const repeatedWork: RepeatedWork[] = [...topics.flatMap(({ repeated }) => repeated ?? []), queueTimes];

/**
 * Connects to the job queues and creates missing ones. Needed by processes that send jobs and by those that run them.
 */
export async function openQueues(databaseUrl: string, onError: (error: Error) => void): Promise<PgBoss> {
  const jobs = await connectQueues(databaseUrl, onError);
  try {
    for (const { queue } of jobKinds) await createOrUpdateQueue(jobs, { ...defaultQueueOptions, ...queue });
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
  options: { migrate?: boolean; supervise?: boolean; schedule?: boolean } = {},
): Promise<PgBoss> {
  const jobs = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'linksieve-jobs',
    max: 4,
    useListenNotify: true,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
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
const heartbeatSeconds = 10;

const defaultQueueOptions = { retryLimit: 4, retryDelay: 1, heartbeatSeconds, expireInSeconds: 3600, notify: true };

/** Creates the queue, or updates the options of an existing one, except its policy: pg-boss cannot change that. */
async function createOrUpdateQueue(jobs: PgBoss, { name, policy, ...options }: Queue): Promise<void> {
  if (await jobs.getQueue(name)) await jobs.updateQueue(name, options);
  else await jobs.createQueue(name, { policy, ...options });
}

/** Seconds between polls of a queue. Polling finds due retries and jobs whose notification was lost. */
const defaultPolling = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 10 };

/** Several processes that start at once run the scheduled jobs once. */
export const startIntervalSeconds = 60;

/**
 * Schedules jobs, and runs the jobs of all queues and all repeated work until `signal` aborts. Running jobs then return
 * to their queues.
 */
export async function startWorker(context: Context, signal: AbortSignal, polling = defaultPolling): Promise<void> {
  // Only one process can use an embedded database, so jobs that seem to run are those of a process that was killed.
  if (!context.config.databaseUrl) {
    await restartInterruptedJobs(context);
  }
  await correctQueueTimes(context.db);
  for (const { queue, cron } of jobKinds) {
    if (!cron) continue;
    await context.jobs.schedule(queue.name, cron);
    await context.jobs.send(queue.name, {}, { singletonKey: 'start', singletonSeconds: startIntervalSeconds });
  }
  await startWork(context, [...jobKinds, ...repeatedWork], signal, polling);
}

/** Runs the jobs of some queues and some repeated work until `signal` aborts, without schedules. */
export async function startWork(
  context: Context,
  work: readonly Work[],
  signal: AbortSignal,
  polling: typeof defaultPolling,
): Promise<void> {
  const workers = new Map<string, string[]>();
  for (const { queue, concurrency = 1, run } of work.filter((one) => 'queue' in one)) {
    for (let i = 0; i < concurrency; i += 1) {
      const worker: Promise<string> = context.jobs.work<never>(
        queue.name,
        { ...polling, perJobResults: true },
        async ([job]) => {
          if (!job) return [];
          // Notifications that arrive while this job runs are lost: the worker polls again as soon as the job is done.
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
      workers.set(queue.name, [...(workers.get(queue.name) ?? []), await worker]);
    }
  }
  const wakeForRetries: RepeatedWork = {
    name: 'wake-for-retries',
    everySeconds: 1,
    async run({ db, jobs }) {
      for (const name of await listQueuesWithRetries(db))
        for (const worker of workers.get(name) ?? []) jobs.notifyWorker(worker);
    },
  };
  const repeated = work.filter((one) => 'everySeconds' in one);
  for (const one of [...repeated, wakeForRetries]) void repeat(context, one, signal);
}

/** How long to wait after a failure: the database may be unavailable. */
const retryRepeatedSeconds = 10;

/** Repeats work until `signal` aborts. */
async function repeat(context: Context, { name, everySeconds, run }: RepeatedWork, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    let seconds = everySeconds;
    try {
      await run(context, signal);
    } catch (error) {
      if (signal.aborted) return;
      context.log.error({ err: error, work: name }, 'repeated work failed and will be tried again');
      seconds = retryRepeatedSeconds;
    }
    await delay(seconds * 1000, undefined, { signal }).catch(() => undefined);
  }
}
