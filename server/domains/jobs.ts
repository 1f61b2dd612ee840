import { job } from '../job.ts';
import { tidyCountsQueue } from './domains.ts';
import { tidyCounts } from './tidy-counts.ts';

/** Keeps totals cheap: every minute, and after imports. */
export const tidyCountsJob = job<object>({
  queue: tidyCountsQueue,
  cron: '* * * * *',
  run: (context, _data, signal) => tidyCounts(context, signal),
});
