import { sql } from 'kysely';
import type pg from 'pg';
import type { SourceRun } from '#shared/blacklist/sources.ts';
import type { Db } from '../../platform/db/database.ts';
import { completeRun, toPublicMessage, toPublicStatus, unfinished } from '../../platform/jobs/runs.ts';

const columns = [
  'id',
  toPublicStatus<SourceRun['status']>().as('status'),
  'progress',
  'title',
  toPublicMessage().as('message'),
  'started_by as startedBy',
  'created_at as createdAt',
  'finished_at as finishedAt',
] as const;

export type SourceRunRow = Awaited<ReturnType<typeof insertRun>>;

/** What a run changes. */
export interface SourceRunTask {
  /** The sources whose domains may change. */
  sourceIds: readonly number[];
  /** The earlier name of a renamed source, or the name of a source that is merged. */
  oldName?: string | undefined;
  /** The source that a merge keeps. */
  intoId?: number | undefined;
  /** Only domains with several sources may change. */
  onlyShared: boolean;
}

interface NewRun extends SourceRunTask {
  userId: number | null;
  startedBy: string;
  title: string;
  message: string;
}

export function insertRun(trx: Db, { userId, startedBy, title, message, ...task }: NewRun) {
  return trx
    .insertInto('source_runs')
    .values({
      user_id: userId,
      started_by: startedBy,
      title,
      message,
      source_ids: [...task.sourceIds],
      old_name: task.oldName ?? null,
      into_id: task.intoId ?? null,
      only_shared: task.onlyShared,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Returns the ids of the queued runs that have no job yet. `pgboss.job` is a documented table of pg-boss. */
export async function listIdsWithoutJob(db: Db, queue: string): Promise<number[]> {
  const rows = await db
    .selectFrom('source_runs')
    .select('id')
    .where('status', '=', 'queued')
    .where(sql<boolean>`not exists (
      select from pgboss.job where job.name = ${queue} and job.data ->> 'runId' = source_runs.id::text
    )`)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns all unfinished runs and the last `limit` finished ones, newest first. */
export function listRuns(db: Db, limit: number): Promise<SourceRunRow[]> {
  return db
    .selectFrom('source_runs')
    .select(columns)
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('status', 'in', unfinished),
        eb(
          'id',
          'in',
          selectFrom('source_runs')
            .select('id')
            .where('status', 'not in', unfinished)
            .orderBy('id', 'desc')
            .limit(limit),
        ),
      ]),
    )
    .orderBy('id', 'desc')
    .execute();
}

/** Returns a failed run to the queue. @returns undefined if there is no failed run with this id */
export function requeueFailedRun(trx: Db, id: number, message: string): Promise<SourceRunRow | undefined> {
  return trx
    .updateTable('source_runs')
    .set({ status: 'queued', attempts: 0, progress: 0, message, finished_at: null })
    .where('id', '=', id)
    .where('status', '=', 'failed')
    .returning(columns)
    .executeTakeFirst();
}

/** What a run does, and how far it has come. */
export function findRun(db: Db, id: number) {
  return db
    .selectFrom('source_runs')
    .select([
      'source_ids as sourceIds',
      'old_name as oldName',
      'into_id as intoId',
      'only_shared as onlyShared',
      'last_id as lastId',
      'done_count as doneCount',
    ])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Whether a merge that has not completed removes or fills one of the sources. A failed one can be retried. */
export async function isMerging(db: Db, sourceIds: readonly number[]): Promise<boolean> {
  const row = await db
    .selectFrom('source_runs')
    .select('id')
    .where('status', 'in', [...unfinished, 'failed'])
    .where('into_id', 'is not', null)
    .where(sql<boolean>`(source_ids && ${sourceIds}::integer[] or into_id = any(${sourceIds}::integer[]))`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Saves that a batch is done, in the batch's transaction. */
export async function saveBatch(trx: Db, id: number, lastId: number, count: number): Promise<void> {
  await trx
    .updateTable('source_runs')
    .set({ last_id: lastId, done_count: sql<number>`done_count + ${count}` })
    .where('id', '=', id)
    .execute();
}

/** @throws if the run has already finished */
export function completeSourceRun(trx: Db, id: number, message: string): Promise<void> {
  return completeRun(trx, 'source_runs', id, { message });
}

export interface AffectedDomain {
  /** 0 in a merge, whose listings may belong to domains that are no longer listed. */
  id: number;
  name: string;
}

/** Rows per batch: one statement takes well under a second, so imports and edits wait only briefly. */
const batchRows = 5000;

/**
 * Yields the domains with one of the names among their sources, in the order of their ids, in batches.
 * @param afterId skips the domains up to this id
 */
export function readDomainsOf(
  pool: pg.Pool,
  names: readonly string[],
  { afterId, onlyShared }: { afterId: number; onlyShared: boolean },
): AsyncGenerator<AffectedDomain[]> {
  const shared = onlyShared ? 'and source_count > 1' : '';
  return readBatches(
    pool,
    `select id, name from domains
     where source && $1::text[] and id > $2 ${shared} order by id`,
    [names, afterId],
  );
}

/** Yields the names of all listings of a source, withdrawn ones too, in batches. */
export function readListingsOf(pool: pg.Pool, sourceId: number): AsyncGenerator<AffectedDomain[]> {
  return readBatches(pool, 'select 0 as id, name from listings where source_id = $1', [sourceId]);
}

async function* readBatches(pool: pg.Pool, query: string, values: unknown[]): AsyncGenerator<AffectedDomain[]> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    await client.query('begin read only');
    await client.query('set local jit = off');
    await client.query(`declare affected no scroll cursor for ${query}`, values);
    for (;;) {
      const { rows } = await client.query<AffectedDomain>(`fetch ${batchRows} from affected`);
      if (rows.length === 0) break;
      yield rows;
    }
    await client.query('commit');
    isBroken = false;
  } finally {
    client.release(isBroken);
  }
}

/**
 * Whether a domain of a source still has the source's old name, which is not the name of another source of it.
 */
export async function hasOldName(trx: Db, oldName: string, sourceId: number): Promise<boolean> {
  const { rows } = await sql`
    select from domains
    join listings on listings.name = domains.name and source_id = ${sourceId} and withdrawn_at is null
    where source @> array[${oldName}::text]
      and not exists (
        select from listings as other join sources on sources.id = other.source_id
        where other.name = domains.name and other.withdrawn_at is null and sources.name = ${oldName}
      )
    limit 1
  `.execute(trx);
  return rows.length > 0;
}

/** Whether a source has listings, withdrawn ones too. Reads the whole table if there are none. */
export async function hasListings(trx: Db, sourceId: number): Promise<boolean> {
  const { rows } = await sql`select from listings where source_id = ${sourceId} limit 1`.execute(trx);
  return rows.length > 0;
}

/** Returns the highest id of a domain, 0 if there is none. */
export async function findMaxDomainId(db: Db): Promise<number> {
  const { rows } = await sql<{ max: number | null }>`select max(id) as max from domains`.execute(db);
  return rows[0]?.max ?? 0;
}

export async function updateSourceRunStarter(db: Db, userId: number, username: string): Promise<void> {
  await db.updateTable('source_runs').set({ started_by: username }).where('user_id', '=', userId).execute();
}
