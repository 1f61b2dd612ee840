import { job } from '../jobs/job.ts';
import { deleteExpiredShares } from './store-shares.ts';

export const deleteExpiredSharesJob = job<object>({
  queue: { name: 'delete-report-shares', retryLimit: 0 },
  cron: '37 3 * * *',
  run: ({ db, now }) => deleteExpiredShares(db, now()),
});
