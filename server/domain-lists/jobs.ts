import { job } from '../jobs/job.ts';
import { deleteExpiredLists } from './domain-lists.ts';

/** Deletes the lists of visitors after a day and those of users after 90 days. Runs hourly, to be no more than an hour late. */
export const deleteExpiredListsJob = job<object>({
  queue: { name: 'delete-domain-lists', retryLimit: 0 },
  cron: '23 * * * *',
  run: ({ db, now }) => deleteExpiredLists(db, now()),
});
