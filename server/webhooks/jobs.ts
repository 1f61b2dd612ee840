import { sql } from 'kysely';
import { deliveryDays } from '#shared/webhooks.ts';
import type { RepeatedWork } from '../jobs/job.ts';
import { daysBefore, type Retention } from '../jobs/retention.ts';
import { sendDueDeliveries } from './deliver.ts';

export const repeatedDeliveries: RepeatedWork = { name: 'webhook deliveries', everySeconds: 1, run: sendDueDeliveries };

export const deliveryRetention: Retention = {
  table: 'webhook_deliveries',
  expired: (now) => sql`created_at < ${daysBefore(now, deliveryDays)}`,
};
