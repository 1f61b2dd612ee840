import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { open } from '../jobs/runs.ts';

/** No upload counts for so long without being renewed. A later end comes from a clock that was ahead. */
const maxValidity = sql`interval '1 hour'`;

/** SQL for whether an upload counts. */
const counts = sql<boolean>`(expires_at > now() and expires_at <= now() + ${maxValidity})`;

/** Counts the user's uploads that are being received, and the queued, running and waiting analyses. */
export async function countUnfinished(db: Db, userId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from uploads where user_id = ${userId} and ${counts} and parts is null)
      + (select count(*) from analyses where user_id = ${userId} and status in (${sql.join(open)})) as count
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** Returns what the uploads of all accounts that are being received may still write. */
export async function countBytesLeft(db: Db): Promise<number> {
  const { bytes } = await db
    .selectFrom('uploads')
    .select(sql<number>`coalesce(sum(bytes_left), 0)::bigint`.as('bytes'))
    .where(counts)
    .executeTakeFirstOrThrow();
  return bytes;
}

const newExpiry = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`;

interface NewUpload {
  /** By default, the database chooses one. */
  id: string | undefined;
  userId: number | null;
  bytes: number;
  bytesLeft: number;
  seconds: number;
}

/** Adds an upload that counts for `seconds`, unless it is renewed. @returns its id */
export async function insertUpload(
  db: Db,
  { id: givenId, userId, bytes, bytesLeft, seconds }: NewUpload,
): Promise<string> {
  const { id } = await db
    .insertInto('uploads')
    .values({
      ...(givenId !== undefined && { id: givenId }),
      user_id: userId,
      bytes,
      bytes_left: bytesLeft,
      expires_at: newExpiry(seconds),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function renewUpload(db: Db, id: string, bytesLeft: number, seconds: number): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ bytes_left: bytesLeft, expires_at: newExpiry(seconds) })
    .where('id', '=', id)
    .where('parts', 'is', null)
    .execute();
}

export async function deleteUpload(db: Db, id: string): Promise<void> {
  await db.deleteFrom('uploads').where('id', '=', id).execute();
}

/** A file of an interrupted upload. */
export interface Part {
  path: string;
  fileName: string;
}

/**
 * Finds an upload of the user. Its `parts` are null while it is being received. `isExpired`: nobody continued it in
 * time, or the process that received it was killed.
 */
export function findUpload(db: Db, userId: number, id: string) {
  return db
    .selectFrom('uploads')
    .select(['parts', sql<boolean>`not ${counts}`.as('isExpired')])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Returns the files of all interrupted uploads. */
export async function listParts(db: Db): Promise<Part[]> {
  const rows = await db.selectFrom('uploads').select('parts').where('parts', 'is not', null).execute();
  return rows.flatMap(({ parts }) => parts ?? []);
}

/** Deletes an interrupted upload of the user. @returns its files; undefined without such an upload */
export function deleteInterrupted(db: Db, userId: number, id: string) {
  return db
    .deleteFrom('uploads')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('parts', 'is not', null)
    .returning('parts')
    .executeTakeFirst();
}

/** Marks an upload as interrupted. It counts for `seconds` more. */
export async function interruptUpload(db: Db, id: string, parts: readonly Part[], seconds: number): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ parts: JSON.stringify(parts), bytes_left: 0, expires_at: newExpiry(seconds) })
    .where('id', '=', id)
    .execute();
}

/** Deletes all interrupted uploads of a user but the newest ones. @returns their files */
export async function deleteOldInterrupted(db: Db, userId: number, kept: number): Promise<(Part[] | null)[]> {
  const rows = await db
    .deleteFrom('uploads')
    .where('id', 'in', (query) =>
      query
        .selectFrom('uploads')
        .select('id')
        .where('user_id', '=', userId)
        .where('parts', 'is not', null)
        .orderBy('expires_at', 'desc')
        .offset(kept),
    )
    .returning('parts')
    .execute();
  return rows.map(({ parts }) => parts);
}

/** Deletes the uploads that nobody continued, and those of killed processes. @returns their files */
export async function deleteExpired(db: Db): Promise<(Part[] | null)[]> {
  const rows = await db
    .deleteFrom('uploads')
    .where(sql<boolean>`expires_at not between now() - case when parts is null then interval '1 hour' else interval '0' end
        and now() + ${maxValidity}`)
    .returning('parts')
    .execute();
  return rows.map(({ parts }) => parts);
}
