import { sql } from 'kysely';
import type { Analysis } from '#shared/backlinks.ts';
import type { Db } from '../db/database.ts';
import { locks } from '../db/locks.ts';
import { toPublicStatus, unfinished } from '../jobs/runs.ts';

const columns = [
  'id',
  'profile_id as profileId',
  toPublicStatus<Analysis['status']>().as('status'),
  'progress',
  'message',
  'refused',
  'file_name as fileName',
  'report_id as reportId',
] as const;

export type AnalysisRow = NonNullable<Awaited<ReturnType<typeof findAnalysis>>>;

export function findAnalysis(db: Db, userId: number, id: string) {
  return db
    .selectFrom('analyses')
    .select([...columns, 'file_path as filePath'])
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Returns the user's queued and running analyses, newest first. */
export function listUnfinishedOfUser(db: Db, userId: number) {
  return db
    .selectFrom('analyses')
    .select(columns)
    .where('user_id', '=', userId)
    .where('status', 'in', unfinished)
    .orderBy('created_at', 'desc')
    .execute();
}

/** Returns the user's analyses after the id `after`, in the order of their ids. */
export function listAnalysesOfUser(db: Db, userId: number, after: string | undefined, limit: number) {
  return db
    .selectFrom('analyses')
    .select([...columns, 'file_bytes as fileBytes', 'created_at as createdAt', 'finished_at as finishedAt'])
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

export interface NewAnalysis {
  userId: number;
  profileId: number;
  fileName: string;
  filePath: string;
  fileBytes: number;
}

export async function insertAnalysis(db: Db, analysis: NewAnalysis, message: string): Promise<string> {
  const { id } = await db
    .insertInto('analyses')
    .values({
      user_id: analysis.userId,
      profile_id: analysis.profileId,
      file_name: analysis.fileName,
      file_path: analysis.filePath,
      file_bytes: analysis.fileBytes,
      message,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Finds the file name, the profile and its host for an analysis. */
export function findAnalyzedFile(db: Db, id: string) {
  return db
    .selectFrom('analyses')
    .innerJoin('profiles', 'profiles.id', 'analyses.profile_id')
    .select(['file_name as fileName', 'profile_id as profileId', 'profiles.domain as ownHost'])
    .where('analyses.id', '=', id)
    .executeTakeFirst();
}

/** Returns the files of all users' queued and running analyses. */
export function listUnfinished(db: Db) {
  return db.selectFrom('analyses').select('file_path as filePath').where('status', 'in', unfinished).execute();
}

export async function updateOwner(db: Db, profileId: number, userId: number): Promise<void> {
  await db.updateTable('analyses').set({ user_id: userId }).where('profile_id', '=', profileId).execute();
}
