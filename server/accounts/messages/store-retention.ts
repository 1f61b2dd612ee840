import { sql } from 'kysely';
import { daysBefore, messageDays, type Retention } from '../../platform/jobs/retention.ts';

export const messageRetention: Retention = {
  table: 'messages',
  expired: (now) => sql`created_at < ${daysBefore(now, messageDays)}`,
};
