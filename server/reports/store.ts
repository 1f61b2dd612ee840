import { type Expression, type SqlBool, sql } from 'kysely';
import type { Db } from '../db/database.ts';

const columns = [
  'reports.id',
  'profile_id as profileId',
  'reports.created_at as createdAt',
  'file_name as fileName',
  'format',
  'skipped',
  'total_backlinks as totalBacklinks',
  'total_domains as totalDomains',
  'unique_domains as uniqueDomains',
  'toxic_domains as toxicDomains',
  'risk_counts as riskCounts',
] as const;

export type ReportRow = Awaited<ReturnType<typeof listReports>>[number];

/** Reports of one of the user's profiles, newest first. */
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
    .select([...columns, 'profiles.domain'])
    .where('reports.id', '=', id)
    .executeTakeFirst();
}

/** The newest report of each of the user's profiles, and how many each has. */
export function listLatestReports(db: Db, userId: number) {
  return ownReports(db, userId)
    .select([...columns, sql<number>`count(*) over (partition by profile_id)`.as('reportCount')])
    .distinctOn('profile_id')
    .orderBy('profile_id')
    .orderBy('reports.created_at', 'desc')
    .orderBy('reports.id', 'desc')
    .execute();
}

/** Harmful backlinks at the positions `from` to `to`, `to` left out. */
export function listBacklinks(db: Db, userId: number, reportId: number, from: number, to: number) {
  return ownReports(db, userId)
    .innerJoin('report_backlinks as link', 'link.report_id', 'reports.id')
    .innerJoin('report_domains as listed', (join) =>
      join.onRef('listed.report_id', '=', 'link.report_id').onRef('listed.position', '=', 'link.domain_position'),
    )
    .select([
      'listed.domain',
      'link.referring_page as referringPage',
      'listed.risk_level as risk',
      'listed.source',
      'listed.source_count as sourceCount',
      'listed.listed_at as listedAt',
    ])
    .where('reports.id', '=', reportId)
    .where('link.position', '>=', from)
    .where('link.position', '<', to)
    .orderBy('link.position')
    .execute();
}

export type BacklinkRow = Awaited<ReturnType<typeof listBacklinks>>[number];

/** Names of the listed domains, highest risk first, at most `limit`, and how many there are in all. */
export async function listDomainNames(
  db: Db,
  userId: number,
  reportId: number,
  risk: number | undefined,
  limit: number,
) {
  const rows = await ownReports(db, userId)
    .innerJoin('report_domains as listed', 'listed.report_id', 'reports.id')
    .select(['listed.domain', sql<number>`count(*) over ()`.as('total')])
    .where('reports.id', '=', reportId)
    .$if(risk !== undefined, (query) => query.where('listed.risk_level', '=', risk ?? 0))
    .orderBy('listed.position')
    .limit(limit)
    .execute();
  return { names: rows.map((row) => row.domain), total: rows[0]?.total ?? 0 };
}

/** @returns whether there was such a report of the user */
export async function deleteReport(db: Db, userId: number, id: number): Promise<boolean> {
  const result = await db
    .deleteFrom('reports')
    .using('profiles')
    .where(isOwn(userId))
    .where('reports.id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

function ownReports(db: Db, userId: number) {
  return db
    .selectFrom('reports')
    .innerJoin('profiles', 'profiles.id', 'reports.profile_id')
    .where('profiles.user_id', '=', userId);
}

/** Joins a deletion to the owner. */
function isOwn(userId: number): Expression<SqlBool> {
  return sql<SqlBool>`profiles.id = reports.profile_id and profiles.user_id = ${userId}`;
}
