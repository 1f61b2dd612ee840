import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { locks } from '../db/locks.ts';

const columns = [
  'id',
  'profile_id as profileId',
  'status',
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
    .select(columns)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The user's analyses that have not ended, newest first. */
export function listRunning(db: Db, userId: number) {
  return db
    .selectFrom('analyses')
    .select(columns)
    .where('user_id', '=', userId)
    .where('status', '=', 'processing')
    .orderBy('created_at', 'desc')
    .execute();
}

/** Others that begin an analysis of the same user wait here until the transaction ends. */
export async function lockBeginning(trx: Db, userId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${locks.beginAnalysis}::integer, (${userId}::bigint % 2147483647)::integer)`.execute(
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

export async function insertAnalysis(db: Db, analysis: NewAnalysis): Promise<string> {
  const { id } = await db
    .insertInto('analyses')
    .values({
      user_id: analysis.userId,
      profile_id: analysis.profileId,
      file_name: analysis.fileName,
      file_path: analysis.filePath,
      file_bytes: analysis.fileBytes,
      message: 'Waiting for its turn',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** @returns the path of the file; undefined when the user has no such analysis, or it has ended */
export async function cancelAnalysis(db: Db, userId: number, id: string): Promise<string | undefined> {
  const row = await db
    .updateTable('analyses')
    .set({ status: 'cancelled', message: 'Cancelled', finished_at: sql`now()` })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .returning('file_path as filePath')
    .executeTakeFirst();
  return row?.filePath;
}

export async function updateOwner(db: Db, profileId: number, userId: number): Promise<void> {
  await db.updateTable('analyses').set({ user_id: userId }).where('profile_id', '=', profileId).execute();
}

/** Files that an analysis of any user still needs. */
export async function listFilesInUse(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('analyses').select('file_path').where('status', '=', 'processing').execute();
  return rows.map((row) => row.file_path);
}

/** The user's analyses behind the id `after`, in the order of their ids. */
export function listAnalysesOf(db: Db, userId: number, after: string | undefined, limit: number) {
  return db
    .selectFrom('analyses')
    .select([...columns, 'file_bytes as fileBytes', 'created_at as createdAt', 'finished_at as finishedAt'])
    .where('user_id', '=', userId)
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit)
    .execute();
}
