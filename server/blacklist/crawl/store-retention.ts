import { sql } from 'kysely';
import { daysBefore, type Retention } from '../../platform/jobs/retention.ts';

/** How long an opt-out waits for its proof. */
const unverifiedDays = 90;

export const crawlRetention: readonly Retention[] = [
  { table: 'crawl_turns', expired: (now) => sql`next_at < ${daysBefore(now, 1)}` },
  { table: 'crawl_robots', expired: (now) => sql`read_at < ${daysBefore(now, 2)}` },
  {
    table: 'crawl_opt_outs',
    expired: (now) => sql`verified_at is null and created_at < ${daysBefore(now, unverifiedDays)}`,
  },
];
