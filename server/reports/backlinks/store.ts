import { type Selectable, sql } from 'kysely';
import type { Analysis } from '#shared/reports/backlinks.ts';
import type { Db } from '../../platform/db/database.ts';
import { locks } from '../../platform/db/locks.ts';
import { open, toPublicMessage, toPublicStatus } from '../../platform/jobs/runs.ts';
import type { UploadAnswers } from '../backlink-files/open-tables.ts';
import type { AnalysesTable } from './tables.ts';

const columns = [
  'id',
  'website_id as websiteId',
  toPublicStatus<Analysis['status']>().as('status'),
  'progress',
  toPublicMessage().as('message'),
  'refused',
  'file_name as fileName',
  'question',
  'report_id as reportId',
] as const;

export type AnalysisRow = NonNullable<Awaited<ReturnType<typeof findAnalysis>>>;

export function findAnalysis(db: Db, userId: number, id: string) {
  return db
    .selectFrom('analyses')
    .select([...columns, 'files', 'answers'])
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Returns the user's queued, running and waiting analyses, newest first. */
export function listOpenOfUser(db: Db, userId: number) {
  return db
    .selectFrom('analyses')
    .select(columns)
    .where('user_id', '=', userId)
    .where('status', 'in', open)
    .orderBy('created_at', 'desc')
    .execute();
}

export async function countOpenOfUser(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('analyses')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', '=', userId)
    .where('status', 'in', open)
    .executeTakeFirstOrThrow();
  return count;
}

/** SQL for the names and sizes of an analysis' files, without their paths on the server. */
const fileNames = sql<Omit<AnalysisFile, 'path'>[]>`(
  select jsonb_agg(jsonb_build_object('name', file ->> 'name', 'bytes', file -> 'bytes') order by position)
  from jsonb_array_elements(files) with ordinality as entries (file, position)
)`;

/** Returns the user's analyses after the id `after`, in the order of their ids. */
export function listAnalysesOfUser(db: Db, userId: number, after: string | undefined, limit: number) {
  return db
    .selectFrom('analyses')
    .select([...columns, fileNames.as('files'), 'created_at as createdAt', 'finished_at as finishedAt'])
    .where('user_id', '=', userId)
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Blocks the start of other analyses of the same user until the transaction ends. */
export async function lockStart(trx: Db, userId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${locks.startAnalysis}::integer, (${userId}::bigint % 2147483647)::integer)`.execute(
    trx,
  );
}

/** A stored file of an analysis. `name` is for display. */
export interface AnalysisFile {
  path: string;
  name: string;
  bytes: number;
}

/** What an analysis reads, and the website of its report. */
export interface AnalysisTask {
  id: string;
  websiteId: number;
  /** The host of the website that the backlinks point to. */
  ownHost: string;
  /** The name of the upload in the report. */
  fileName: string;
  /** At least one. */
  files: readonly AnalysisFile[];
  /** The header name of the source column. Without it the column is detected. */
  column: string | null;
  answers: UploadAnswers;
  /** Ask the user if a file leaves a question. */
  ask: boolean;
}

export async function insertAnalysis(
  db: Db,
  userId: number,
  { id, websiteId, fileName, files, column, ask }: Omit<AnalysisTask, 'ownHost' | 'answers'>,
  message: string,
): Promise<void> {
  await db
    .insertInto('analyses')
    .values({
      id,
      user_id: userId,
      website_id: websiteId,
      file_name: fileName,
      files: JSON.stringify(files),
      column_name: column,
      ask,
      message,
    })
    .execute();
}

/** Returns the name of an upload: 'links.csv' or 'links.csv and 2 more files'. */
export function toFileName(files: readonly AnalysisFile[]): string {
  const more = files.length - 1;
  return `${files[0]?.name}${more === 0 ? '' : more === 1 ? ' and 1 more file' : ` and ${more} more files`}`;
}

/** Finds the task of an analysis, and its status. */
export function findAnalysisTask(
  db: Db,
  id: string,
): Promise<(AnalysisTask & Pick<Selectable<AnalysesTable>, 'status'>) | undefined> {
  return db
    .selectFrom('analyses')
    .innerJoin('websites', 'websites.id', 'analyses.website_id')
    .select([
      'analyses.id',
      'status',
      'file_name as fileName',
      'files',
      'column_name as column',
      'answers',
      'ask',
      'website_id as websiteId',
      'websites.domain as ownHost',
    ])
    .where('analyses.id', '=', id)
    .executeTakeFirst();
}

/** Returns the files of all users' queued, running and waiting analyses. */
export function listOpen(db: Db) {
  return db.selectFrom('analyses').select('files').where('status', 'in', open).execute();
}

/** Fails the analyses that have waited for an answer since before `time`. @returns their files */
export function failWaiting(db: Db, time: Date, message: string) {
  return db
    .updateTable('analyses')
    .set({ status: 'failed', refused: true, question: null, message, finished_at: sql<Date>`now()` })
    .where('status', '=', 'waiting')
    .where('created_at', '<', time)
    .returning('files')
    .execute();
}

/**
 * Keeps a waiting analysis from being changed until the transaction ends.
 * @returns false if it is not waiting, or another transaction changes it
 */
export async function lockWaiting(trx: Db, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('analyses')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the owner of a website, who cannot change until the transaction ends; null if it has none. */
export async function lockOwner(trx: Db, websiteId: number): Promise<number | null> {
  const row = await trx
    .selectFrom('websites')
    .select('user_id as userId')
    .where('id', '=', websiteId)
    .forShare()
    .executeTakeFirst();
  return row?.userId ?? null;
}
