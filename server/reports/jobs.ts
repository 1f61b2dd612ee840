import { job, type RepeatedWork } from '../jobs/job.ts';
import { purgeDeletedRows } from './purge.ts';
import { deleteExpiredShares } from './store-shares.ts';

export const deleteExpiredSharesJob = job<object>({
  queue: { name: 'delete-report-shares', retryLimit: 0 },
  cron: '37 3 * * *',
  run: ({ db, now }) => deleteExpiredShares(db, now()),
});

export const repeatedPurge: RepeatedWork = {
  name: 'deleting the rows of deleted reports',
  everySeconds: 5,
  run: ({ db }, signal) => purgeDeletedRows(db, signal),
};
