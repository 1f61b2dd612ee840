import { sql } from 'kysely';
import type { Retention } from '../jobs/retention.ts';

export const sharedLimitRetention: Retention = {
  table: 'shared_limits',
  // A later end comes from a clock that was ahead.
  expired: () => sql`expires_at not between now() and now() + interval '1 minute'`,
};
