import { type ExpressionBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/tables.ts';

const columns = [
  'reports.id',
  'website_id as websiteId',
  'reports.created_at as createdAt',
  'file_name as fileName',
  'formats',
  'ignored_tables as ignoredTables',
  'total_backlinks as totalBacklinks',
  'nofollow_backlinks as nofollowBacklinks',
  'lost_backlinks as lostBacklinks',
  'total_domains as totalDomains',
  'unique_domains as uniqueDomains',
  'toxic_domains as toxicDomains',
  'risk_counts as riskCounts',
  'including_lost as includingLost',
] as const;

export type ReportRow = Awaited<ReturnType<typeof listReports>>[number];

/** Returns the reports of one of the user's websites, newest first. */
export function listReports(db: Db, userId: number, websiteId: number) {
  return ownReports(db, userId)
    .select(columns)
    .where('website_id', '=', websiteId)
    .orderBy('reports.created_at', 'desc')
    .orderBy('reports.id', 'desc')
    .execute();
}

export function findReport(db: Db, userId: number, id: number) {
  return ownReports(db, userId)
    .select([...columns, 'websites.domain', 'signals'])
    .where('reports.id', '=', id)
    .executeTakeFirst();
}

/**
 * Returns the newest report of each of the user's websites, or of one, with the number of reports of the website and
 * the figures of the last `trendLength` ones, newest first. Reads each website by itself, because windows over all
 * reports take five times as long.
 */
export function listLatestReports(db: Db, userId: number, trendLength: number, websiteId?: number) {
  return db
    .selectFrom('websites')
    .innerJoinLateral(
      (eb) => newestReports(eb, 1).selectAll('reports').as('reports'),
      (join) => join.onTrue(),
    )
    .where('websites.user_id', '=', userId)
    .$if(websiteId !== undefined, (query) => query.where('websites.id', '=', websiteId ?? 0))
    .select((eb) => [
      ...columns,
      sql<number>`(select count(*) from reports where reports.website_id = websites.id)`.as('reportCount'),
      sql<{ date: string; toxicDomains: number; uniqueDomains: number }[]>`(
        select jsonb_agg(jsonb_build_object(
          'date', created_at, 'toxicDomains', toxic_domains, 'uniqueDomains', unique_domains
        ))
        from (${newestReports(eb, trendLength).select(['created_at', 'toxic_domains', 'unique_domains'])}) as last
      )`.as('trend'),
    ])
    .execute();
}

/** The newest reports of the website of the outer query, newest first. */
function newestReports(eb: ExpressionBuilder<Tables, 'websites'>, count: number) {
  return eb
    .selectFrom('reports')
    .whereRef('reports.website_id', '=', 'websites.id')
    .orderBy('reports.created_at', 'desc')
    .orderBy('reports.id', 'desc')
    .limit(sql.lit(count));
}

/** @returns whether the user had such a report */
export async function deleteReport(db: Db, userId: number, id: number): Promise<boolean> {
  const result = await db
    .deleteFrom('reports')
    .using('websites')
    .whereRef('websites.id', '=', 'reports.website_id')
    .where('websites.user_id', '=', userId)
    .where('reports.id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** The reports of the user's websites, joined with these. */
export function ownReports(db: Db, userId: number) {
  return db
    .selectFrom('reports')
    .innerJoin('websites', 'websites.id', 'reports.website_id')
    .where('websites.user_id', '=', userId);
}
