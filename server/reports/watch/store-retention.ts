import { sql } from 'kysely';
import type { Retention } from '../../platform/jobs/retention.ts';
import { deleteOldHosts } from './hosts.ts';

/** A host that no export had for this long is no longer watched. */
const maxHostAgeDays = 365;

export const watchRetention: Retention[] = [
  { table: 'website_host_blocks', expired: { delete: (db) => deleteOldHosts(db, maxHostAgeDays) } },
  // No running analysis started its lookups before a change that was matched so long ago.
  { table: 'domain_changes', expired: () => sql`matched_at < clock_timestamp() - interval '2 days'` },
];
