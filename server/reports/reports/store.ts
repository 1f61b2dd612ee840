import { type ExpressionBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/tables.ts';

const columns = [
  'reports.id',
  'profile_id as profileId',
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

/** Returns the reports of one of the user's profiles, newest first. */
export function listReports(db: Db, userId: number, profileId: number) {
  return ownReports(db, userId)
    .select(columns)
    .where('profile_id', '=', profileId)
    .orderBy('reports.created_at', 'desc')
    .orderBy('reports.id', 'desc')
    .execute();
}

export function findReport(db: Db, userId: number, id: number) {
  return ownReports(db, userId)
    .select([...columns, 'profiles.domain', 'signals'])
    .where('reports.id', '=', id)
    .executeTakeFirst();
}

/**
 * Returns the newest report of each of the user's profiles, or of one, with the number of reports of the profile and
 * the figures of the last `trendLength` ones, newest first. Reads each profile by itself, because windows over all
 * reports take five times as long.
 */
export function listLatestReports(db: Db, userId: number, trendLength: number, profileId?: number) {
  return db
    .selectFrom('profiles')
    .innerJoinLateral(
      (eb) => newestReports(eb, 1).selectAll('reports').as('reports'),
      (join) => join.onTrue(),
    )
    .where('profiles.user_id', '=', userId)
    .$if(profileId !== undefined, (query) => query.where('profiles.id', '=', profileId ?? 0))
    .select((eb) => [
      ...columns,
      sql<number>`(select count(*) from reports where reports.profile_id = profiles.id)`.as('reportCount'),
      sql<{ date: string; toxicDomains: number; uniqueDomains: number }[]>`(
        select jsonb_agg(jsonb_build_object(
          'date', created_at, 'toxicDomains', toxic_domains, 'uniqueDomains', unique_domains
        ))
        from (${newestReports(eb, trendLength).select(['created_at', 'toxic_domains', 'unique_domains'])}) as last
      )`.as('trend'),
    ])
    .execute();
}

/** The newest reports of the profile of the outer query, newest first. */
function newestReports(eb: ExpressionBuilder<Tables, 'profiles'>, count: number) {
  return eb
    .selectFrom('reports')
    .whereRef('reports.profile_id', '=', 'profiles.id')
    .orderBy('reports.created_at', 'desc')
    .orderBy('reports.id', 'desc')
    .limit(sql.lit(count));
}

/** @returns whether the user had such a report */
export async function deleteReport(db: Db, userId: number, id: number): Promise<boolean> {
  const result = await db
    .deleteFrom('reports')
    .using('profiles')
    .whereRef('profiles.id', '=', 'reports.profile_id')
    .where('profiles.user_id', '=', userId)
    .where('reports.id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** The reports of the user's profiles, joined with these. */
export function ownReports(db: Db, userId: number) {
  return db
    .selectFrom('reports')
    .innerJoin('profiles', 'profiles.id', 'reports.profile_id')
    .where('profiles.user_id', '=', userId);
}
