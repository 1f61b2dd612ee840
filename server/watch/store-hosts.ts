import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** Returns the time of the database, whose clock also stamps `domain_changes`. */
export async function getDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]?.now ?? new Date();
}

/** Creates the temporary table that `copyNewHosts` fills. */
export async function createNewHosts(trx: Db): Promise<void> {
  await sql`
    create temporary table new_hosts (
      host text collate "C", site text collate "C", backlinks integer, domain text collate "C", risk_level smallint
    ) on commit drop
  `.execute(trx);
}

export const copyNewHosts = 'copy new_hosts (host, site, backlinks, domain, risk_level) from stdin';

const today = sql`(now() at time zone 'UTC')::date`;

/**
 * Stores the new hosts of a website. Those that have only lost links are removed, and those that no export had for
 * `maxDays` days.
 */
export async function mergeNewHosts(
  trx: Db,
  { profileId, reportId }: { profileId: number; reportId: number },
  maxDays: number,
): Promise<void> {
  await sql`
    insert into website_hosts as known
      (profile_id, host, site, backlinks, report_id, first_seen, last_seen, domain, risk_level)
    select ${profileId}, host, site, backlinks, ${reportId}, ${today}, ${today}, domain, risk_level
    from new_hosts where backlinks > 0 order by host
    on conflict (profile_id, host) do update set
      backlinks = excluded.backlinks, report_id = excluded.report_id, last_seen = excluded.last_seen,
      domain = excluded.domain, risk_level = excluded.risk_level
  `.execute(trx);
  await sql`
    delete from website_hosts
    where profile_id = ${profileId} and report_id <> ${reportId} and (
      last_seen < ${today} - ${maxDays}::integer or host in (select host from new_hosts where backlinks = 0)
    )
  `.execute(trx);
  await sql`
    insert into watches (profile_id, hosts) select ${profileId}, count(*) from website_hosts where profile_id = ${profileId}
    on conflict (profile_id) do update set hosts = excluded.hosts
  `.execute(trx);
}

/** Lets the changes that were matched since a time be matched again. */
export async function requeueChanges(trx: Db, since: Date): Promise<void> {
  await trx.updateTable('domain_changes').set({ matched_at: null }).where('matched_at', '>=', since).execute();
}

/** Returns a page of the hosts of one of the user's websites, by name. */
export function listHosts(db: Db, userId: number, profileId: number, after: string, limit: number) {
  return db
    .selectFrom('website_hosts')
    .innerJoin('profiles', 'profiles.id', 'profile_id')
    .select([
      'host',
      'backlinks',
      sql<string>`first_seen::text`.as('firstSeen'),
      sql<string>`last_seen::text`.as('lastSeen'),
    ])
    .where('user_id', '=', userId)
    .where('profile_id', '=', profileId)
    .where('host', '>', after)
    .orderBy('host')
    .limit(limit)
    .execute();
}
