import { sql } from 'kysely';
import { daysBefore, type Retention, recordDays } from '../../platform/jobs/retention.ts';

export const newsletterRetention: Retention = {
  table: 'newsletter_subscriptions',
  expired: (now) => sql`unsubscribed_at < ${daysBefore(now, recordDays)}`,
};
