import { job } from '../jobs/job.ts';
import { sendDueDeliveries } from './deliver.ts';
import { deleteOldDeliveries } from './webhooks.ts';

/** Transactions of threads queue events, so the job looks for them. */
export const webhookJob = job<object>({
  queue: { name: 'webhooks' },
  everySeconds: 1,
  run: (context, _, signal) => sendDueDeliveries(context, signal),
});

export const deleteOldDeliveriesJob = job<object>({
  queue: { name: 'tidy-webhooks', retryLimit: 0 },
  cron: '41 * * * *',
  run: deleteOldDeliveries,
});
