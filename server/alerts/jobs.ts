import { job } from '../jobs/job.ts';
import { deleteOldAlerts } from './store.ts';

const dayMs = 24 * 60 * 60 * 1000;
const maxAlertAgeDays = 400;

export const deleteOldAlertsJob = job<object>({
  queue: { name: 'delete-old-alerts', retryLimit: 0 },
  cron: '41 4 * * *',
  run: ({ db, now }) => deleteOldAlerts(db, new Date(now().getTime() - maxAlertAgeDays * dayMs)),
});
