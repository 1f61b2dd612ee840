import { type SqlBool, sql } from 'kysely';
import { type LiveCounts, liveStates } from '#shared/reports/live-links.ts';
import type { Db } from '../../platform/db/database.ts';

/** The states from this one on mean that there is no link any more. */
const firstGone = liveStates.indexOf('gone');

/** SQL for whether each link of a domain of a report is gone. */
export const isAllGone = sql<SqlBool>`(state >= ${sql.lit(firstGone)} and checked_pages >= pages)`;

/** Counts the domains of a report by what visits to their pages found. */
export async function countLiveStates(db: Db, reportId: number): Promise<LiveCounts> {
  const rows = await db
    .selectFrom('live_domains')
    .select([
      'state',
      sql<number>`count(*)`.as('domains'),
      sql<number>`count(*) filter (where ${isAllGone})`.as('nothingToDo'),
      sql<Date>`max(checked_at)`.as('checkedAt'),
    ])
    .where('report_id', '=', reportId)
    .where('state', 'is not', null)
    .groupBy('state')
    .execute();
  const count = (at: number) => rows.find(({ state }) => state === at)?.domains ?? 0;
  const times = rows.map(({ checkedAt }) => checkedAt.getTime());
  return {
    counts: Object.fromEntries(liveStates.map((state, at) => [state, count(at)])) as LiveCounts['counts'],
    nothingToDo: rows.reduce((sum, { nothingToDo }) => sum + nothingToDo, 0),
    checkedAt: times.length > 0 ? new Date(Math.max(...times)).toISOString() : null,
  };
}
