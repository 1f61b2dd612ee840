import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** Returns the time of the database, whose clock also stamps `domain_changes`. */
export async function getDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]?.now ?? new Date();
}

/** Makes analyses of the same website store their hosts one after the other. */
export async function lockProfile(trx: Db, profileId: number): Promise<void> {
  await trx.selectFrom('profiles').select('id').where('id', '=', profileId).forNoKeyUpdate().execute();
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
 * Stores the new hosts of a website, which must be locked. Those that have only lost links are removed, and those that no
 * export had for `maxDays` days.
 */
export async function mergeNewHosts(
  trx: Db,
  { profileId, reportId }: { profileId: number; reportId: number },
  maxDays: number,
): Promise<void> {
  await sql`analyze new_hosts`.execute(trx);
  await sql`
    with known as (
      delete from website_hosts
      where profile_id = ${profileId}
        and (host in (select host from new_hosts) or last_seen < ${today} - ${maxDays}::integer)
      returning host, first_seen
    )
    insert into website_hosts
      (profile_id, host, site, backlinks, report_id, first_seen, last_seen, domain, risk_level)
    select ${profileId}, host, site, backlinks, ${reportId}, coalesce(known.first_seen, ${today}), ${today},
      domain, risk_level
    from new_hosts left join known using (host)
    where backlinks > 0
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
