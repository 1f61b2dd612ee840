import { sql, type UpdateObject } from 'kysely';
import type { FeedFormat, FeedKind, FeedRun } from '#shared/blacklist/feeds.ts';
import type { SourceKind } from '#shared/blacklist/sources.ts';
import { type Db, toLikePattern } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/tables.ts';
import { cancelRun, open, toPublicMessage, unfinished } from '../../platform/jobs/runs.ts';
import type { Validators } from './download.ts';

/** What a run did. `listed` and `delisted` count the names that became or are no longer part of the blacklist. */
export interface RefreshCounts {
  added: number;
  removed: number;
  unchanged: number;
  held: number;
  listed: number;
  delisted: number;
}

const runColumns = [
  'id',
  'created_at as startedAt',
  'finished_at as finishedAt',
  'status',
  'added',
  'removed',
  'unchanged',
  'held',
  'rejected',
  'bytes',
  'progress',
  toPublicMessage().as('message'),
] as const;

type RunRow = Awaited<ReturnType<typeof listRuns>>[number];

/** Converts a run for the API. */
export function toFeedRun({ startedAt, finishedAt, status, message, ...row }: RunRow): FeedRun {
  const publicStatus = toFeedRunStatus(status, row.added + row.removed > 0);
  return {
    ...row,
    status: publicStatus,
    isReplaced: status === 'cancelled',
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    message: publicStatus === 'running' ? message : '',
    error: publicStatus === 'failed' ? message : null,
  };
}

function toFeedRunStatus(status: RunRow['status'], hasChanges: boolean): FeedRun['status'] {
  if (status === 'queued' || status === 'running') return 'running';
  if (status === 'waiting') return 'review';
  if (status === 'completed') return hasChanges ? 'updated' : 'unchanged';
  return 'failed';
}

/** Returns runs of a feed, newest first. */
export function listRuns(db: Db, feedId: number, { offset, limit }: { offset: number; limit: number }) {
  return db
    .selectFrom('feed_runs')
    .select(runColumns)
    .where('feed_id', '=', feedId)
    .where('action', '=', 'refresh')
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
}

/**
 * Returns one run of each feed, by the id of the feed: the run in progress, otherwise the newest one.
 * @param status only runs with this status count
 */
export async function listLastRuns(
  db: Db,
  feedIds: readonly number[],
  status?: RunRow['status'],
): Promise<Map<number, RunRow>> {
  if (feedIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('feed_runs')
    .distinctOn('feed_id')
    .select(['feed_id as feedId', ...runColumns])
    .where('feed_id', 'in', [...feedIds])
    .where('action', '=', 'refresh')
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'waiting'))
    .orderBy('feed_id')
    // An accepted copy is older than a download that failed after it.
    .orderBy(sql`status in (${sql.join(unfinished)})`, 'desc')
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map(({ feedId, ...run }) => [feedId, run]));
}

/** Returns a page of the names that a run added or removed, and their total; undefined if the feed has no such run. */
export async function listChanges(
  db: Db,
  { id, runId }: { id: number; runId: number },
  {
    isRemoved,
    search,
    offset,
    limit,
  }: { isRemoved: boolean; search?: string | undefined; offset: number; limit: number },
): Promise<{ names: string[]; total: number } | undefined> {
  const run = await findRun(db, id, runId);
  if (!run) return undefined;
  const changes = db
    .selectFrom('feed_changes')
    .where('run_id', '=', runId)
    .where('is_removed', '=', isRemoved)
    .$if(Boolean(search), (query) => query.where('name', 'like', toLikePattern((search ?? '').toLowerCase())));
  const rows = await changes.select('name').orderBy('name').offset(offset).limit(limit).execute();
  const { total } = await changes.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { names: rows.map(({ name }) => name), total };
}

export function findRun(db: Db, feedId: number, runId: number) {
  return db
    .selectFrom('feed_runs')
    .select(['id', 'status'])
    .where('feed_id', '=', feedId)
    .where('id', '=', runId)
    .executeTakeFirst();
}

export async function findUnfinishedRun(db: Db, feedId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('feed_runs')
    .select('id')
    .where('feed_id', '=', feedId)
    .where('status', 'in', unfinished)
    .executeTakeFirst();
  return row?.id;
}

/** What a run does; undefined if there is no such run. */
export async function findAction(db: Db, runId: number): Promise<'refresh' | 'withdraw' | undefined> {
  const row = await db.selectFrom('feed_runs').select('action').where('id', '=', runId).executeTakeFirst();
  return row?.action;
}

/** Inserts a queued run. Lock the feed first: it can have only one unfinished run. */
export async function insertRun(
  trx: Db,
  feedId: number,
  { action, now, message }: { action: 'refresh' | 'withdraw'; now: Date; message: string },
): Promise<number> {
  const { id } = await trx
    .insertInto('feed_runs')
    .values({ feed_id: feedId, action, message, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A feed, as far as one of its runs needs it. */
export interface RefreshedFeed {
  id: number;
  name: string;
  url: string;
  format: FeedFormat | 'auto';
  kind: FeedKind;
  detectedFormat: FeedFormat | null;
  isFromCatalogue: boolean;
  /** The last good copy. */
  known: Validators;
  /** Undefined for a list that protects sites. */
  source: { id: number; name: string; kind: SourceKind } | undefined;
  /** Whether an admin accepted the copy of the run. */
  isAccepted: boolean;
  /** What the run read before it waited for the review. */
  reviewed: Validators & {
    bytes: number | null;
    detectedFormat: FeedFormat | null;
    rejected: FeedRun['rejected'];
  };
}

/** Returns the feed of a run that has not ended; undefined if it has ended or the feed was deleted. */
export async function findRefresh(db: Db, runId: number): Promise<RefreshedFeed | undefined> {
  const row = await db
    .selectFrom('feed_runs')
    .innerJoin('feeds', 'feeds.id', 'feed_id')
    .leftJoin('sources', 'sources.id', 'feeds.source_id')
    .select([
      'feeds.id',
      'feeds.name',
      'feeds.url',
      'feeds.format',
      'feeds.kind',
      'feeds.detected_format as detectedFormat',
      'catalogue_key as catalogueKey',
      'feeds.etag',
      'feeds.last_modified as lastModified',
      'feeds.body_hash as bodyHash',
      'sources.id as sourceId',
      'sources.name as sourceName',
      'sources.kind as sourceKind',
      'feed_runs.accepted as isAccepted',
      'feed_runs.bytes',
      'feed_runs.rejected',
      'feed_runs.etag as reviewedEtag',
      'feed_runs.last_modified as reviewedLastModified',
      'feed_runs.body_hash as reviewedBodyHash',
      'feed_runs.detected_format as reviewedFormat',
    ])
    .where('feed_runs.id', '=', runId)
    .where('feed_runs.status', 'in', unfinished)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { etag, lastModified, bodyHash, sourceId, sourceName, sourceKind, ...feed } = row;
  return {
    id: feed.id,
    name: feed.name,
    url: feed.url,
    format: feed.format,
    kind: feed.kind,
    detectedFormat: feed.detectedFormat,
    isFromCatalogue: feed.catalogueKey !== null,
    known: { etag, lastModified, bodyHash },
    source:
      sourceId === null || sourceName === null || sourceKind === null
        ? undefined
        : { id: sourceId, name: sourceName, kind: sourceKind },
    isAccepted: feed.isAccepted,
    reviewed: {
      etag: feed.reviewedEtag,
      lastModified: feed.reviewedLastModified,
      bodyHash: feed.reviewedBodyHash,
      bytes: feed.bytes,
      detectedFormat: feed.reviewedFormat,
      rejected: { ...feed.rejected },
    },
  };
}

interface CopyFacts {
  bytes: number | null;
  format: FeedFormat | null;
  rejected: Partial<Record<string, number>>;
  validators: Validators;
}

/** Returns the columns of a run that applied a copy, or waits for a review of it. */
export function toRunColumns(
  counts: RefreshCounts,
  { bytes, format, rejected, validators }: CopyFacts,
): UpdateObject<Tables, 'feed_runs'> {
  return {
    ...counts,
    bytes,
    rejected: JSON.stringify(rejected),
    detected_format: format,
    etag: validators.etag,
    last_modified: validators.lastModified,
    body_hash: validators.bodyHash,
  };
}

export async function updateFeedRun(trx: Db, runId: number, changes: UpdateObject<Tables, 'feed_runs'>): Promise<void> {
  await trx.updateTable('feed_runs').set(changes).where('id', '=', runId).execute();
}

/** Locks a feed until the transaction ends. */
export async function lockFeed(trx: Db, id: number): Promise<void> {
  await trx.selectFrom('feeds').select('id').where('id', '=', id).forUpdate().execute();
}

/** Cancels the other runs of a feed that wait for a review, because a newer copy was applied. */
export function cancelReviews(trx: Db, feedId: number, runId: number): Promise<void> {
  return cancel(
    trx,
    { feedId, statuses: ['waiting'], runId },
    'A newer copy replaced this one before it was accepted.',
  );
}

/** Cancels the runs of a feed that have not ended. Lock the feed first. */
export function cancelRuns(trx: Db, feedId: number, message: string): Promise<void> {
  return cancel(trx, { feedId, statuses: open, runId: 0 }, message);
}

async function cancel(
  trx: Db,
  { feedId, statuses, runId }: { feedId: number; statuses: readonly (typeof open)[number][]; runId: number },
  message: string,
): Promise<void> {
  const found = await trx
    .selectFrom('feed_runs')
    .select('id')
    .where('feed_id', '=', feedId)
    .where('status', 'in', statuses)
    .where('id', '<>', runId)
    .execute();
  for (const { id } of found) {
    await cancelRun(trx, 'feed_runs', id, message);
    await deleteReview(trx, id);
  }
}

/** Deletes the copy that a run saved for a review, and what it would change. @returns whether there was one */
export async function deleteReview(trx: Db, runId: number): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('feed_copies').where('run_id', '=', runId).executeTakeFirst();
  await trx.deleteFrom('feed_changes').where('run_id', '=', runId).execute();
  await trx.updateTable('feed_runs').set({ added: 0, removed: 0, unchanged: 0 }).where('id', '=', runId).execute();
  return numDeletedRows > 0n;
}

/** Deletes runs that have ended and started before a date, and deleted feeds without runs. */
export async function deleteRunsBefore(db: Db, date: Date): Promise<void> {
  await db.deleteFrom('feed_runs').where('created_at', '<', date).where('status', 'not in', open).execute();
  await sql`
    delete from feeds
    where deleted_at < ${date} and not exists (select from feed_runs where feed_id = feeds.id)
  `.execute(db);
}

interface GoodCopy {
  names: number;
  isUnchanged: boolean;
  format: FeedFormat | null;
  validators: Validators;
}

/** Records that the copy of a run is the last good one. */
export async function completeFeed(
  trx: Db,
  { id }: RefreshedFeed,
  { names, isUnchanged, format: detected, validators }: GoodCopy,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('feeds')
    .set({
      names,
      is_unchanged: isUnchanged,
      detected_format: detected,
      etag: validators.etag,
      last_modified: validators.lastModified,
      body_hash: validators.bodyHash,
      failures: 0,
      last_run_at: now,
      last_success_at: now,
      next_run_at: sql`${now}::timestamptz + make_interval(hours => interval_hours)`,
    })
    .where('id', '=', id)
    .execute();
}

/** Plans the next run of a feed whose copy waits for a review. */
export async function postponeFeed(db: Db, runId: number, now: Date): Promise<void> {
  await sql`
    update feeds set last_run_at = ${now}, next_run_at = ${now}::timestamptz + make_interval(hours => interval_hours)
    from feed_runs where feed_runs.id = ${runId} and feeds.id = feed_id
  `.execute(db);
}

/** Hours until the next run after the first, second and every further failure. */
const retryHours = [1, 6, 24];

/**
 * Fails a run with `fail`, unless it has finished, and plans the next one. A copy that an admin accepted is downloaded
 * again.
 * @returns the feed and why the run failed; undefined if it had finished
 */
export async function failFeed(
  trx: Db,
  runId: number,
  now: Date,
  fail: () => Promise<boolean>,
): Promise<{ feedId: number; name: string; reason: string } | undefined> {
  // The feed before its run, as a deletion of the feed locks them.
  await sql`
    select from feeds where id = (select feed_id from feed_runs where id = ${runId}) for update
  `.execute(trx);
  if (!(await fail())) return undefined;
  const { rows } = await sql<{ feedId: number; name: string; reason: string }>`
    update feeds set failures = failures + 1, last_run_at = ${now},
      next_run_at = ${now}::timestamptz
        + make_interval(hours => (${retryHours}::integer[])[least(failures + 1, ${retryHours.length}::integer)])
    from feed_runs where feed_runs.id = ${runId} and feeds.id = feed_id
    returning feeds.id as "feedId", feed_runs.message as reason,
      coalesce((select sources.name from sources where sources.id = source_id), feeds.name) as name
  `.execute(trx);
  await deleteReview(trx, runId);
  return rows[0];
}

/** The path of the screen of a feed. */
export const feedPath = (id: number): string => `/admin/feeds?feed=${id}`;
