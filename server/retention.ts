import { job } from './platform/jobs/job.ts';
import { deleteExpiredRows } from './platform/jobs/retention.ts';
import { topics } from './topics.ts';

export const retentions = topics.flatMap(({ retention }) => retention ?? []);

/** Deletes expired rows. Runs hourly, because for some tables nothing else limits the number of rows. */
export const retentionJob = job<object>({
  queue: { name: 'retention', retryLimit: 0 },
  cron: '43 * * * *',
  run: (context, _data, signal) => deleteExpiredRows(context, retentions, signal),
});
