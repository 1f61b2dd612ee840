import { sql } from 'kysely';
import { daysBefore, type Retention, recordDays } from '../../platform/jobs/retention.ts';

export const alertRetention: Retention = {
  table: 'alerts',
  expired: (now) => sql`created_at < ${daysBefore(now, recordDays)}`,
};
