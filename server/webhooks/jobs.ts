import { job, type RepeatedWork } from '../jobs/job.ts';
import { sendDueDeliveries } from './deliver.ts';
import { deleteOldDeliveries } from './webhooks.ts';

export const repeatedDeliveries: RepeatedWork = { name: 'webhook deliveries', everySeconds: 1, run: sendDueDeliveries };

export const deleteOldDeliveriesJob = job<object>({
  queue: { name: 'tidy-webhooks', retryLimit: 0 },
  cron: '41 * * * *',
  run: deleteOldDeliveries,
});
