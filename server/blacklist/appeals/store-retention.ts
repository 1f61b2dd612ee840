import { sql } from 'kysely';
import { daysBefore, messageDays, type Retention } from '../../platform/jobs/retention.ts';

/** How long an appeal waits for its proof. */
const unverifiedDays = 90;

export const appealRetention: Retention = {
  table: 'appeals',
  // Successful appeals stay as the record of a listing, and a published statement stays on the page of its domain.
  expired: (now) => sql`(state = 'kept' and decided_at < ${daysBefore(now, messageDays)} and published_at is null)
    or (state = 'unverified' and created_at < ${daysBefore(now, unverifiedDays)})`,
};
