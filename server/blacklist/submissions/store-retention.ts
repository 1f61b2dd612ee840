import { sql } from 'kysely';
import { daysBefore, messageDays, type Retention } from '../../platform/jobs/retention.ts';

export const submissionRetention: Retention = {
  table: 'submissions',
  // Approved submissions stay as the record of a listing.
  expired: (now) => sql`status = 'rejected' and decided_at < ${daysBefore(now, messageDays)}`,
};
