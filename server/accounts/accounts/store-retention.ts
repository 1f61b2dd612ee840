import { sql } from 'kysely';
import type { Retention } from '../../platform/jobs/retention.ts';

/** Deletes expired links. */
export const signInRetention: Retention[] = [
  { table: 'password_resets', expired: (now) => sql`expires_at <= ${now}` },
  { table: 'email_changes', expired: (now) => sql`expires_at <= ${now}` },
];
