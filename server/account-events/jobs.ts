import { job, type RepeatedWork } from '../jobs/job.ts';
import { deleteOldAccountEvents } from './account-events.ts';
import { sendDueNotices } from './notices.ts';

export const deleteOldAccountEventsJob = job<object>({
  queue: { name: 'tidy-account-events', retryLimit: 0 },
  cron: '17 4 * * *',
  run: async ({ db, now }) => deleteOldAccountEvents(db, now()),
});

export const repeatedNotices: RepeatedWork = { name: 'security notices', everySeconds: 2, run: sendDueNotices };
