import { job } from '../../platform/jobs/job.ts';
import type { Retention } from '../../platform/jobs/retention.ts';
import { queueCompactCounts } from '../domains/domains.ts';
import { deleteOldRuns, feedQueue, startDueRuns } from './feeds.ts';
import { runFeed } from './run-feed.ts';

/** Downloads run side by side, because a slow server must not delay the other lists. */
const concurrency = 3;

export const feedJob = job<{ runId: number }>({
  queue: feedQueue,
  concurrency,
  async run(context, { runId }, signal) {
    await runFeed(context, runId, signal);
    await queueCompactCounts(context);
  },
});

/** Starts the refreshes that are due. */
export const feedScheduleJob = job<object>({
  queue: { name: 'feed-schedule', retryLimit: 0 },
  cron: '*/5 * * * *',
  run: startDueRuns,
});

export const feedRunRetention: Retention = { table: 'feed_runs', expired: { delete: deleteOldRuns } };
