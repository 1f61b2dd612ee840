import { sql } from 'kysely';
import type { Retention } from '../../platform/jobs/retention.ts';
import { deleteExpiredUses } from '../../platform/throttle/throttle.ts';
import { deleteExpiredSessions } from '../sessions/sessions.ts';

/** Deletes expired sessions and links, and recorded uses that are too old for any hourly limit. */
export const signInRetention: Retention[] = [
  { table: 'sessions', expired: { delete: deleteExpiredSessions } },
  { table: 'login_failures', expired: { delete: deleteExpiredUses } },
  { table: 'password_resets', expired: (now) => sql`expires_at <= ${now}` },
  { table: 'email_changes', expired: (now) => sql`expires_at <= ${now}` },
];
