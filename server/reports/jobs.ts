import { sql } from 'kysely';
import type { RepeatedWork } from '../jobs/job.ts';
import type { Retention } from '../jobs/retention.ts';
import { purgeDeletedRows } from './purge.ts';

export const shareRetention: Retention = {
  table: 'report_shares',
  expired: (now) => sql`expires_at <= ${now}`,
};

export const repeatedPurge: RepeatedWork = {
  name: 'deleting the rows of deleted reports',
  everySeconds: 5,
  run: ({ db }, signal) => purgeDeletedRows(db, signal),
};
