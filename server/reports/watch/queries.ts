import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { lockOwnedProfile } from './store-hosts.ts';

/** Returns the time of the database, whose clock also stamps `domain_changes`. */
export async function getDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]?.now ?? new Date();
}

/** Deletes up to `limit` hosts of a deleted website. @returns how many */
export async function deleteHostsOfProfile(trx: Db, profileId: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from website_hosts where ctid = any(array(
      select ctid from website_hosts where profile_id = ${profileId} limit ${limit}
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
  { profileId, reportId }: { profileId: number; reportId: number },
): Promise<void> {
  await lockOwnedProfile(trx, profileId);
  await sql`
    delete from website_hosts
    where profile_id = ${profileId} and first_report_id = ${reportId} and report_id = ${reportId}
  `.execute(trx);
  await sql`
    update website_hosts
    set report_id = case report_id when ${reportId} then first_report_id else report_id end,
      first_report_id = case first_report_id when ${reportId} then report_id else first_report_id end
    where profile_id = ${profileId} and ${reportId}::bigint in (first_report_id, report_id)
  `.execute(trx);
  await sql`
    update watches set hosts = (select count(*) from website_hosts where profile_id = ${profileId})
    where profile_id = ${profileId}
  `.execute(trx);
}

/** Stops the digests of a website. */
export async function stopDigest(trx: Db, profileId: number): Promise<void> {
  await trx.updateTable('watches').set({ digest: 'off' }).where('profile_id', '=', profileId).execute();
}
