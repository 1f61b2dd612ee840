import { sql, type UpdateObject } from 'kysely';
import type { FeedFormat, FeedKind, FeedState } from '#shared/blacklist/feeds.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/tables.ts';
import { unfinished } from '../../platform/jobs/runs.ts';
import { domainCount } from '../sources/queries.ts';

export type FeedRow = Awaited<ReturnType<typeof listFeedRows>>[number];

/** Returns the feeds that are not deleted, by name, or one of them. */
export function listFeedRows(db: Db, id?: number) {
  return db
    .selectFrom('feeds')
    .leftJoin('sources', 'sources.id', 'source_id')
    .select([
      'feeds.id',
      sql<string>`coalesce(sources.name, feeds.name)`.as('name'),
      'url',
      'format',
      'detected_format as detectedFormat',
      'feeds.kind',
      'sources.kind as sourceKind',
      'interval_hours as intervalHours',
      'enabled',
      sql<FeedState>`case
        when not enabled then 'disabled'
        when exists (select from feed_runs where feed_id = feeds.id and status = 'waiting') then 'review'
        when failures > 0 then 'failing'
        when last_success_at is null then 'new'
        when is_unchanged then 'unchanged'
        else 'ok'
      end`.as('state'),
      sql<number>`case when feeds.kind = 'block' then ${domainCount} else feeds.names end`.as('domains'),
      'last_run_at as lastRunAt',
      'last_success_at as lastSuccessAt',
      'next_run_at as nextRunAt',
      'failures',
      'licence',
      'homepage',
      'catalogue_key as catalogueKey',
    ])
    .where('deleted_at', 'is', null)
    .$if(id !== undefined, (query) => query.where('feeds.id', '=', id ?? 0))
    .orderBy(sql`lower(coalesce(sources.name, feeds.name) collate "default")`)
    .execute();
}

/** Returns the ids of the feeds from the catalogue, by their key. */
export async function listSubscribed(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('feeds')
    .select(['id', 'catalogue_key as key'])
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(rows.flatMap(({ id, key }) => (key === null ? [] : [[key, id]])));
}

export interface NewFeed {
  sourceId: number | null;
  catalogueKey: string | null;
  name: string;
  url: string;
  format: FeedFormat | 'auto';
  kind: FeedKind;
  intervalHours: number;
  licence: string | null;
  homepage: string | null;
}

/** @throws the database's unique violation if there is such a feed already */
export async function insertFeed(trx: Db, feed: NewFeed, now: Date): Promise<number> {
  const { id } = await trx
    .insertInto('feeds')
    .values({
      source_id: feed.sourceId,
      catalogue_key: feed.catalogueKey,
      name: feed.name,
      url: feed.url,
      format: feed.format,
      kind: feed.kind,
      interval_hours: feed.intervalHours,
      licence: feed.licence,
      homepage: feed.homepage,
      next_run_at: sql`${now}::timestamptz + make_interval(hours => ${feed.intervalHours})`,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Returns a feed and locks it until the transaction ends; undefined if it does not exist or was deleted. */
export function findFeedForUpdate(trx: Db, id: number) {
  return trx
    .selectFrom('feeds')
    .leftJoin('sources', 'sources.id', 'source_id')
    .select([
      'feeds.id',
      'source_id as sourceId',
      sql<string>`coalesce(sources.name, feeds.name)`.as('name'),
      'url',
      'format',
      'feeds.kind',
      'enabled',
      'interval_hours as intervalHours',
    ])
    .where('feeds.id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate('feeds')
    .executeTakeFirst();
}

export async function updateFeedRow(trx: Db, id: number, changes: UpdateObject<Tables, 'feeds'>): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await trx.updateTable('feeds').set(changes).where('id', '=', id).execute();
}

/**
 * SQL for the next run of a feed with an interval: not in the past, so that it starts soon if it is overdue, and not
 * later than an interval from now, even if a clock was ahead at the last run.
 */
export const nextRunAfter = (hours: number, now: Date) =>
  sql<Date>`greatest(${now}::timestamptz, least(last_run_at, ${now}::timestamptz) + make_interval(hours => ${hours}))`;

/** Locks the enabled feeds that are due and have no unfinished run, except those that another process has locked. */
export async function lockDueFeeds(trx: Db, now: Date): Promise<number[]> {
  const rows = await trx
    .selectFrom('feeds')
    .select('id')
    .where('enabled', '=', true)
    .where('deleted_at', 'is', null)
    // A clock that was ahead must not delay a feed for longer than its interval.
    .where(
      sql<boolean>`(next_run_at <= ${now} or next_run_at > ${now}::timestamptz + make_interval(hours => interval_hours + 1))`,
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('feed_runs')
            .select('feed_runs.id')
            .whereRef('feed_id', '=', 'feeds.id')
            .where('status', 'in', unfinished),
        ),
      ),
    )
    .orderBy('next_run_at')
    .limit(100)
    .forUpdate()
    .skipLocked()
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Returns withdrawals that failed an hour ago or earlier to the queue, unless their source belongs to a later feed.
 * @returns the ids of these runs
 */
export async function requeueFailedWithdrawals(trx: Db, now: Date, message: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update feed_runs set status = 'queued', attempts = 0, progress = 0, message = ${message}, finished_at = null
    from feeds
    where feeds.id = feed_id and action = 'withdraw' and status = 'failed' and source_id is not null
      and finished_at not between ${now}::timestamptz - interval '1 hour' and ${now}::timestamptz + interval '1 hour'
      and not exists (select from feeds as later where later.source_id = feeds.source_id and later.id > feeds.id)
    returning feed_runs.id
  `.execute(trx);
  return rows.map(({ id }) => id);
}

/** Whether the listings of a deleted feed of this source are still being withdrawn. */
export async function isWithdrawing(db: Db, sourceId: number): Promise<boolean> {
  const row = await db
    .selectFrom('feed_runs')
    .innerJoin('feeds', 'feeds.id', 'feed_id')
    .select('feed_runs.id')
    .where('source_id', '=', sourceId)
    .where('action', '=', 'withdraw')
    .where('feed_runs.status', 'in', unfinished)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns up to `limit` names of a feed. */
export async function listNames(db: Db, feedId: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('feed_names')
    .select('name')
    .where('feed_id', '=', feedId)
    .orderBy('name')
    .limit(limit)
    .execute();
  return rows.map(({ name }) => name);
}

export async function countNames(db: Db, feedId: number): Promise<number> {
  const { count } = await db
    .selectFrom('feed_names')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('feed_id', '=', feedId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes the names of a feed, or only these. */
export async function deleteNames(db: Db, feedId: number, names?: readonly string[]): Promise<void> {
  await db
    .deleteFrom('feed_names')
    .where('feed_id', '=', feedId)
    .$if(names !== undefined, (query) => query.where(sql<boolean>`name = any(${names ?? []}::text[])`))
    .execute();
}

/** Removes the listings of a source from the review queue. */
export async function deleteHeldOf(db: Db, sourceId: number): Promise<void> {
  await db.deleteFrom('held_listings').where('source_id', '=', sourceId).where('rejected_at', 'is', null).execute();
}

/** The deleted feed whose listings a run withdraws. */
export function findWithdrawal(db: Db, runId: number) {
  return db
    .selectFrom('feed_runs')
    .innerJoin('feeds', 'feeds.id', 'feed_id')
    .select(['feeds.id', 'source_id as sourceId'])
    .where('feed_runs.id', '=', runId)
    .executeTakeFirst();
}

/** Adds to the counts of a run that withdraws listings. */
export async function addWithdrawn(
  trx: Db,
  runId: number,
  { withdrawn, delisted }: { withdrawn: number; delisted: number },
): Promise<void> {
  await trx
    .updateTable('feed_runs')
    .set({ removed: sql<number>`removed + ${withdrawn}`, delisted: sql<number>`delisted + ${delisted}` })
    .where('id', '=', runId)
    .execute();
}
