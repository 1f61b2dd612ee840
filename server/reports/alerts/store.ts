import { sql } from 'kysely';
import type { AlertEvent } from '#shared/reports/watch.ts';
import type { Db } from '../../platform/db/database.ts';

/** Which alerts of a user. */
export interface AlertFilter {
  websiteId?: number | undefined;
  unread?: boolean | undefined;
  event?: AlertEvent | undefined;
}

function ownAlerts(db: Db, userId: number, { websiteId, unread, event }: AlertFilter) {
  let query = db.selectFrom('alerts').innerJoin('websites', 'websites.id', 'alerts.website_id');
  query = query.where('websites.user_id', '=', userId);
  if (websiteId !== undefined) query = query.where('websites.id', '=', websiteId);
  if (unread !== undefined) query = query.where('read_at', unread ? 'is' : 'is not', null);
  if (event) query = query.where('event', '=', event);
  return query;
}

/** Returns a page of the user's alerts: newest run first, then by website, highest risk first. */
export async function listAlerts(
  db: Db,
  userId: number,
  filter: AlertFilter,
  { offset, limit }: { offset: number; limit: number },
) {
  const page = ownAlerts(db, userId, filter)
    .select(['alerts.id', 'run_id', 'website_id', 'websites.domain as website'])
    .orderBy('run_id', 'desc')
    .orderBy('websites.domain')
    .orderBy('website_id')
    .orderBy('alerts.id')
    .offset(offset)
    .limit(limit);
  return await db
    .with('page', () => page)
    .selectFrom('page')
    .innerJoin('alerts', 'alerts.id', 'page.id')
    .leftJoin('decisions', (join) =>
      join.onRef('decisions.website_id', '=', 'alerts.website_id').onRef('decisions.domain', '=', 'alerts.domain'),
    )
    .select([
      'alerts.id',
      'alerts.run_id as runId',
      'alerts.website_id as profileId',
      'page.website',
      'alerts.domain',
      'event',
      'from_level as from',
      'to_level as to',
      'backlinks',
      'source_count as sourceCount',
      'copies',
      sql<number | null>`case when source_count is not null then domain_confidence(source_count, copies, proof) end`.as(
        'confidence',
      ),
      'created_at as at',
      'read_at as readAt',
      'decisions.decision',
      sql<number | null>`(
        select reports.id from reports where reports.website_id = alerts.website_id
        order by reports.created_at desc, reports.id desc limit 1
      )`.as('newestReportId'),
    ])
    .orderBy('alerts.run_id', 'desc')
    .orderBy('page.website')
    .orderBy('alerts.website_id')
    .orderBy('alerts.id')
    .execute();
}

/** Returns which of the listed domains are in reports, as `${reportId} ${domain}`. */
export async function findReported(
  db: Db,
  rows: readonly { reportId: number; domain: string }[],
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const { rows: found } = await sql<{ key: string }>`
    select listed.report_id || ' ' || listed.domain as key from report_domains as listed
    where listed.report_id = any(${[...new Set(rows.map(({ reportId }) => reportId))]}::bigint[])
      and listed.domain = any(${[...new Set(rows.map(({ domain }) => domain))]}::text[])
  `.execute(db);
  return new Set(found.map(({ key }) => key));
}

export async function countAlerts(db: Db, userId: number, filter: AlertFilter): Promise<number> {
  const { count } = await ownAlerts(db, userId, filter)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Marks unread alerts of the user as read: those with the ids, or all of them, or all of one website. */
export async function updateRead(
  db: Db,
  userId: number,
  { ids, websiteId }: { ids?: readonly number[] | undefined; websiteId?: number | undefined },
  now: Date,
): Promise<void> {
  const own = ownAlerts(db, userId, { websiteId, unread: true })
    .select('alerts.id')
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`alerts.id = any(${ids}::bigint[])`));
  await db.updateTable('alerts').set({ read_at: now }).where('id', 'in', own).execute();
}

/** Marks the user's alerts that were marked as read at a time as unread. */
export async function updateUnread(db: Db, userId: number, readAt: Date): Promise<void> {
  const own = ownAlerts(db, userId, {}).select('alerts.id').where('read_at', '=', readAt);
  await db.updateTable('alerts').set({ read_at: null }).where('id', 'in', own).execute();
}

/** Returns the user's alerts after one, oldest first, from a time on. */
export function listAlertsAfter(
  db: Db,
  userId: number,
  { after, since, limit }: { after: number; since?: Date | undefined; limit: number },
) {
  return ownAlerts(db, userId, {})
    .select([
      'alerts.id',
      'alerts.website_id as websiteId',
      'websites.domain as website',
      'alerts.domain',
      'event',
      'from_level as from',
      'to_level as to',
      'backlinks',
      'alerts.created_at as at',
      'read_at as readAt',
    ])
    .where('alerts.id', '>', after)
    .$if(since !== undefined, (query) => query.where('alerts.created_at', '>=', since ?? null))
    .orderBy('alerts.id')
    .limit(limit)
    .execute();
}
