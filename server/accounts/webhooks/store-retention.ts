import { sql } from 'kysely';
import { deliveryDays } from '#shared/accounts/webhooks.ts';
import { daysBefore, type Retention } from '../../platform/jobs/retention.ts';

export const deliveryRetention: Retention = {
  table: 'webhook_deliveries',
  expired: (now) => sql`created_at < ${daysBefore(now, deliveryDays)}`,
};
