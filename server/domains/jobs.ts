import type { Context } from '../context.ts';
import { job } from '../job.ts';
import { tidyCounts } from './tidy-counts.ts';

/** Keeps totals cheap: every minute, and after imports. */
export const tidyCountsJob = job<object>({
  queue: { name: 'tidy-domain-counts', policy: 'stately' },
  cron: '* * * * *',
  run: (context, _data, signal) => tidyCounts(context, signal),
});

/** Asks for the counts to be tidied after a change of many domains has been committed. */
export async function tidyCountsSoon({ jobs }: Pick<Context, 'jobs'>): Promise<void> {
  await jobs.send(tidyCountsJob.queue.name, {});
}
