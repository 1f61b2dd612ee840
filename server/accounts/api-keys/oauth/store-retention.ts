import { sql } from 'kysely';
import { daysBefore, type Retention } from '../../../platform/jobs/retention.ts';

/** A program that was disconnected may come back with the id that it remembers. */
const unusedDays = 90;

/** Connections and their records end by themselves, and programs that nobody has connected are kept for a while. */
export const oauthRetention: readonly Retention[] = [
  { table: 'api_keys', expired: (now) => sql`oauth_client_id is not null and expires_at < ${now}` },
  { table: 'oauth_records', expired: (now) => sql`expires_at < ${now}` },
  {
    table: 'oauth_clients',
    expired: (now) =>
      sql`used_at < ${daysBefore(now, unusedDays)} and not exists (select from api_keys where oauth_client_id = oauth_clients.id)`,
  },
];
