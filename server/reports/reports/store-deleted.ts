import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** Returns a deleted website whose hosts may still be stored. */
export async function findDeletedWebsite(trx: Db): Promise<number | undefined> {
  return (await trx.selectFrom('deleted_websites').select('website_id').limit(1).executeTakeFirst())?.website_id;
}

export async function forgetDeletedWebsite(trx: Db, websiteId: number): Promise<void> {
  await trx.deleteFrom('deleted_websites').where('website_id', '=', websiteId).execute();
}

/** Returns the oldest deleted report that may still have rows. */
export function findDeletedReport(trx: Db) {
  return trx
    .selectFrom('deleted_reports')
    .select(['report_id as reportId', 'website_id as websiteId'])
    .orderBy('report_id')
    .limit(1)
    .executeTakeFirst();
}

export async function forgetDeletedReport(trx: Db, reportId: number): Promise<void> {
  await trx.deleteFrom('deleted_reports').where('report_id', '=', reportId).execute();
}

/** Deletes up to `limit` rows of a deleted report. @returns how many */
export async function deleteRowsOfReport(
  trx: Db,
  table: 'report_links' | 'report_domains',
  reportId: number,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where report_id = ${reportId} limit ${limit}
    ))
  `.execute(trx);
  return Number(numAffectedRows);
}
