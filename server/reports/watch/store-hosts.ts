import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/**
 * Makes analyses of the same website store their hosts one after the other.
 * @returns false if the website has no owner
 */
export async function lockOwnedProfile(trx: Db, profileId: number): Promise<boolean> {
  const query = trx.selectFrom('profiles').select('user_id').where('id', '=', profileId).forNoKeyUpdate();
  return (await query.executeTakeFirst())?.user_id != null;
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
 * Stores the new hosts of a website, which must be locked. Known ones keep their verdict, which is in step with the
 * changes that were matched. Those that have only lost links are removed.
 */
export async function mergeNewHosts(
  trx: Db,
  { profileId, reportId }: { profileId: number; reportId: number },
): Promise<void> {
  await sql`analyze new_hosts`.execute(trx);
  await sql`
    with known as (
      delete from website_hosts
      where profile_id = ${profileId} and host in (select host from new_hosts)
      returning host, first_seen, first_report_id, domain, risk_level
    )
    insert into website_hosts (profile_id, host, site, backlinks, first_report_id, report_id, first_seen, last_seen,
      domain, risk_level)
    select ${profileId}, new_hosts.host, site, backlinks, coalesce(first_report_id, ${reportId}), ${reportId},
      coalesce(first_seen, ${today}), ${today},
      case when known.host is null then new_hosts.domain else known.domain end,
      case when known.host is null then new_hosts.risk_level else known.risk_level end
    from new_hosts left join known on known.host = new_hosts.host
    where backlinks > 0
    order by site
  `.execute(trx);
  await sql`
    insert into watches (profile_id, hosts) select ${profileId}, count(*) from website_hosts where profile_id = ${profileId}
    on conflict (profile_id) do update set hosts = excluded.hosts
  `.execute(trx);
}

/** Deletes the hosts that no export had for `maxDays` days. */
export async function deleteOldHosts(db: Db, maxDays: number): Promise<void> {
  await sql`
    with deleted as (
      delete from website_hosts where last_seen < ${today} - ${maxDays}::integer returning profile_id
    ),
    counts as (select profile_id, count(*) as hosts from deleted group by profile_id)
    update watches set hosts = watches.hosts - counts.hosts from counts where counts.profile_id = watches.profile_id
  `.execute(db);
}

/** Returns a page of the hosts of one of the user's websites, by name. */
export function listHosts(
  db: Db,
  { userId, profileId }: { userId: number; profileId: number },
  { after, limit }: { after: string; limit: number },
) {
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
