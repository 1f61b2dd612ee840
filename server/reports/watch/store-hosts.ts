import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/**
 * Makes analyses of the same website store their hosts one after the other.
 * @returns false if the website has no owner
 */
export async function lockOwnedWebsite(trx: Db, websiteId: number): Promise<boolean> {
  const query = trx.selectFrom('websites').select('user_id').where('id', '=', websiteId).forNoKeyUpdate();
  return (await query.executeTakeFirst())?.user_id != null;
}

/** Creates the temporary table that `copyNewHosts` fills. */
export async function createNewHosts(trx: Db): Promise<void> {
  await sql`
    create temporary table new_hosts (
      host text collate "C", registrable_domain text collate "C", backlinks integer, domain text collate "C",
      risk_level smallint
    ) on commit drop
  `.execute(trx);
}

export const copyNewHosts = 'copy new_hosts (host, registrable_domain, backlinks, domain, risk_level) from stdin';

const today = sql`(now() at time zone 'UTC')::date`;

/**
 * Stores the new hosts of a website, which must be locked. Known ones keep their verdict, which is in step with the
 * changes that were matched. Those that have only lost links are removed.
 */
export async function mergeNewHosts(
  trx: Db,
  { websiteId, reportId }: { websiteId: number; reportId: number },
): Promise<void> {
  await sql`analyze new_hosts`.execute(trx);
  await sql`
    with known as (
      delete from website_hosts
      where website_id = ${websiteId} and host in (select host from new_hosts)
      returning host, first_seen, first_report_id, domain, risk_level
    )
    insert into website_hosts (website_id, host, registrable_domain, backlinks, first_report_id, report_id,
      first_seen, last_seen,
      domain, risk_level)
    select ${websiteId}, new_hosts.host, registrable_domain, backlinks, coalesce(first_report_id, ${reportId}), ${reportId},
      coalesce(first_seen, ${today}), ${today},
      case when known.host is null then new_hosts.domain else known.domain end,
      case when known.host is null then new_hosts.risk_level else known.risk_level end
    from new_hosts left join known on known.host = new_hosts.host
    where backlinks > 0
    order by registrable_domain
  `.execute(trx);
  await sql`
    insert into watches (website_id, hosts) select ${websiteId}, count(*) from website_hosts where website_id = ${websiteId}
    on conflict (website_id) do update set hosts = excluded.hosts
  `.execute(trx);
}

/** Deletes the hosts that no export had for `maxDays` days. */
export async function deleteOldHosts(db: Db, maxDays: number): Promise<void> {
  await sql`
    with deleted as (
      delete from website_hosts where last_seen < ${today} - ${maxDays}::integer returning website_id
    ),
    counts as (select website_id, count(*) as hosts from deleted group by website_id)
    update watches set hosts = watches.hosts - counts.hosts from counts where counts.website_id = watches.website_id
  `.execute(db);
}

/** Returns a page of the hosts of one of the user's websites, by name. */
export function listHosts(
  db: Db,
  { userId, websiteId }: { userId: number; websiteId: number },
  { after, limit }: { after: string; limit: number },
) {
  return db
    .selectFrom('website_hosts')
    .innerJoin('websites', 'websites.id', 'website_id')
    .select([
      'host',
      'backlinks',
      sql<string>`first_seen::text`.as('firstSeen'),
      sql<string>`last_seen::text`.as('lastSeen'),
    ])
    .where('user_id', '=', userId)
    .where('website_id', '=', websiteId)
    .where('host', '>', after)
    .orderBy('host')
    .limit(limit)
    .execute();
}
