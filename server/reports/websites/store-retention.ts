import { sql } from 'kysely';
import { daysBefore, type Retention } from '../../platform/jobs/retention.ts';
import { finished } from '../../platform/jobs/runs.ts';

/** Websites that wait for an upload which has not succeeded. Others are kept until they are deleted. */
export const hiddenWebsiteRetention: Retention = {
  table: 'websites',
  expired: (now) => sql`awaits_upload and created_at < ${daysBefore(now, 2)} and not exists (
    select from analyses where website_id = websites.id and status not in (${sql.join(finished)})
  )`,
};
