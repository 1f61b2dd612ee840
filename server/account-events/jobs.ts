import { job } from '../jobs/job.ts';
import { deleteOldAccountEvents } from './account-events.ts';

export const deleteOldAccountEventsJob = job<object>({
  queue: { name: 'tidy-account-events', retryLimit: 0 },
  cron: '17 4 * * *',
  run: async ({ db, now }) => deleteOldAccountEvents(db, now()),
});
