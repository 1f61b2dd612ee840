import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { lockOwnedWebsite } from './store-hosts.ts';

/** Returns the time of the database, whose clock also stamps `domain_changes`. */
export async function getDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]?.now ?? new Date();
}

/** Deletes up to `limit` hosts of a deleted website. @returns how many */
export async function deleteHostsOfWebsite(trx: Db, websiteId: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from website_hosts where ctid = any(array(
      select ctid from website_hosts where website_id = ${websiteId} limit ${limit}
    ))
  `.execute(trx);
  return Number(numAffectedRows);
}

/**
 * Deletes the hosts that only a deleted report had, and keeps the others with the report that has them too. Waits for
 * an analysis of the same website.
 */
export async function deleteHostsOfReport(
  trx: Db,
  { websiteId, reportId }: { websiteId: number; reportId: number },
): Promise<void> {
  await lockOwnedWebsite(trx, websiteId);
  await sql`
    delete from website_hosts
    where website_id = ${websiteId} and first_report_id = ${reportId} and report_id = ${reportId}
  `.execute(trx);
  await sql`
    update website_hosts
    set report_id = case report_id when ${reportId} then first_report_id else report_id end,
      first_report_id = case first_report_id when ${reportId} then report_id else first_report_id end
    where website_id = ${websiteId} and ${reportId}::bigint in (first_report_id, report_id)
  `.execute(trx);
  await sql`
    update watches set hosts = (select count(*) from website_hosts where website_id = ${websiteId})
    where website_id = ${websiteId}
  `.execute(trx);
}

/** Stops the digests of a website. */
export async function stopDigest(trx: Db, websiteId: number): Promise<void> {
  await trx.updateTable('watches').set({ digest: 'off' }).where('website_id', '=', websiteId).execute();
}
