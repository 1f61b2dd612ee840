import { sql } from 'kysely';
import type { Retention } from '../../platform/jobs/retention.ts';

export const shareRetention: Retention = {
  table: 'report_shares',
  expired: (now) => sql`expires_at <= ${now}`,
};
