import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/**
 * Returns a text that differs after each run, and after each change of a source, that could change the published list
 * without changing `updated_at` of a domain.
 */
export async function getRunVersion(db: Db): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select concat_ws(' ',
      (select max(finished_at) from feed_runs where status = 'completed'),
      (select max(finished_at) from imports),
      (select max(finished_at) from source_runs),
      (select concat(count(*), ' ', max(id)) from site_rules),
      (select md5(string_agg(concat_ws(' ', id, kind, family_id, is_public), ',' order by id)) from sources)
    ) as version
  `.execute(db);
  return rows[0]?.version ?? '';
}
