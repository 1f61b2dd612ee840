import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** Returns a deleted website whose hosts may still be stored. */
export async function findDeletedWebsite(trx: Db): Promise<number | undefined> {
  return (await trx.selectFrom('deleted_websites').select('website_id').limit(1).executeTakeFirst())?.website_id;
}

export async function forgetDeletedWebsite(trx: Db, websiteId: number): Promise<void> {
  await trx.deleteFrom('deleted_websites').where('website_id', '=', websiteId).execute();
}

/**
 * Restores a report of one of the user's websites whose rows are not deleted yet. Its links to share it have ended.
 * @returns whether there is one
 */
export async function restoreReport(trx: Db, userId: number, reportId: number): Promise<boolean> {
  const { rows } = await sql`
    with restored as (
      delete from deleted_reports using websites
      where report_id = ${reportId} and websites.id = website_id and user_id = ${userId} and report is not null
      returning report
    )
    insert into reports overriding system value
    select (jsonb_populate_record(null::reports, report)).* from restored
    returning id
  `.execute(trx);
  return rows.length > 0;
}

/** Returns the oldest report that was deleted before a time and may still have rows. It cannot be restored any more. */
export async function findDeletedReport(trx: Db, before: Date) {
  return await trx
    .updateTable('deleted_reports')
    .set({ report: null })
    .where('report_id', 'in', (eb) =>
      eb
        .selectFrom('deleted_reports')
        .select('report_id')
        .where('deleted_at', '<', before)
        .orderBy('report_id')
        .limit(1),
    )
    .returning(['report_id as reportId', 'website_id as websiteId'])
    .executeTakeFirst();
}

export async function forgetDeletedReport(trx: Db, reportId: number): Promise<void> {
  await trx.deleteFrom('deleted_reports').where('report_id', '=', reportId).execute();
}

/** Tables with rows of reports that do not refer to them, because deleting these at once would take long. */
export type TableOfReport = 'report_links' | 'report_domains' | 'live_pages' | 'live_domains' | 'link_checks';

/** Deletes up to `limit` rows of a deleted report. @returns how many */
export async function deleteRowsOfReport(
  trx: Db,
  table: TableOfReport,
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
