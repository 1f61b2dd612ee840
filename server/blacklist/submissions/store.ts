import { type Expression, type SqlBool, sql } from 'kysely';
import type { SubmissionInput, SubmissionStatus } from '#shared/blacklist/submissions.ts';
import { countRows, type Db } from '../../platform/db/database.ts';

/** @returns the new id, or undefined if the user already has a pending submission of the same domain */
export async function insertSubmission(
  db: Db,
  userId: number,
  input: SubmissionInput,
  now: Date,
): Promise<number | undefined> {
  const row = await db
    .insertInto('submissions')
    .values({
      user_id: userId,
      domain: input.domain,
      evidence: input.evidence,
      source: input.source,
      cost: input.cost,
      niche: input.niche,
      domain_rating: input.domainRating,
      additional_notes: input.additionalNotes || null,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export type SubmissionRow = NonNullable<Awaited<ReturnType<typeof findSubmission>>>;

export function findSubmission(db: Db, id: number) {
  return submissions(db).where('submissions.id', '=', id).executeTakeFirst();
}

export interface PageQuery {
  /** Zero-based. */
  page: number;
  pageSize: number;
}

/** Returns a page of all users' submissions with one status, newest first, and their total. */
export function listByStatus(db: Db, status: SubmissionStatus, page: PageQuery) {
  return listMatching(db, sql`submissions.status = ${status}`, page);
}

/** Returns a page of the user's own submissions, newest first, and their total. */
export function listOfUser(db: Db, userId: number, page: PageQuery) {
  return listMatching(db, sql`submissions.user_id = ${userId}`, page);
}

async function listMatching(db: Db, condition: Expression<SqlBool>, { page, pageSize }: PageQuery) {
  const rows = await submissions(db)
    .where(condition)
    .orderBy('submissions.created_at', 'desc')
    .orderBy('submissions.id', 'desc')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute();
  return { rows, total: await countRows(db.selectFrom('submissions').where(condition)) };
}

/** Returns the user's own submissions with ids above `after`, oldest first. */
export function listOfUserAfterId(db: Db, userId: number, after: number, limit: number) {
  return submissions(db)
    .where('submissions.user_id', '=', userId)
    .where('submissions.id', '>', after)
    .orderBy('submissions.id')
    .limit(limit)
    .execute();
}

/** Locks the submission until the transaction ends, so that only one admin can decide it. @returns whether it exists */
export async function lockSubmission(trx: Db, id: number): Promise<boolean> {
  const row = await trx.selectFrom('submissions').select('id').where('id', '=', id).forUpdate().executeTakeFirst();
  return row !== undefined;
}

export async function updateStatus(
  trx: Db,
  id: number,
  decision: { status: 'approved' | 'rejected'; reason: string | null; decidedBy: number },
  now: Date,
): Promise<void> {
  await trx
    .updateTable('submissions')
    .set({ status: decision.status, reason: decision.reason, decided_by: decision.decidedBy, decided_at: now })
    .where('id', '=', id)
    .execute();
}

function submissions(db: Db) {
  return db
    .selectFrom('submissions')
    .leftJoin('users as submitter', 'submitter.id', 'submissions.user_id')
    .leftJoin('users as admin', 'admin.id', 'submissions.decided_by')
    .select([
      'submissions.id',
      'submissions.domain',
      'status',
      'submissions.created_at as dateSubmitted',
      'submitter.email as submitterEmail',
      'submitter.email_confirmed as isEmailConfirmed',
      'evidence',
      'source',
      'cost',
      'niche',
      'domain_rating as domainRating',
      'additional_notes as additionalNotes',
      'reason',
      'decided_at as dateDecided',
      'admin.username as decidedBy',
    ]);
}
