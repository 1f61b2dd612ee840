import type { ReviewedSubmission, Submission, SubmissionStatus } from '#shared/submissions.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { findListings } from '../domains/find-listings.ts';
import { foreseeListings } from '../domains/foresee-listings.ts';
import { listByStatus, listOfUser, listOfUserAfter, type PageWanted } from './store.ts';
import { reviewedSubmissionOf, submissionOf } from './submission-of.ts';

/** A page of everybody's submissions of one status for admins, newest first, each with what the blacklist says of its domain. */
export async function listSubmissions(
  { db, pool }: Pick<Context, 'db' | 'pool'>,
  { status, ...wanted }: PageWanted & { status: SubmissionStatus },
): Promise<{ submissions: ReviewedSubmission[]; total: number }> {
  const { rows, total } = await listByStatus(db, status, wanted);
  const listings = await findListings(
    pool,
    rows.map(({ domain }) => domain),
  );
  const foreseen = status === 'pending' ? await foreseeListings(db, rows) : [];
  return {
    submissions: rows.map((row, at) => reviewedSubmissionOf(row, listings.get(row.domain), foreseen[at])),
    total,
  };
}

/** A page of a user's own submissions, newest first. */
export async function listOwnSubmissions(
  db: Db,
  userId: number,
  wanted: PageWanted,
): Promise<{ submissions: Submission[]; total: number }> {
  const { rows, total } = await listOfUser(db, userId, wanted);
  return { submissions: rows.map(submissionOf), total };
}

/** A page of all that a user submitted, oldest first, behind the id `after`. */
export async function listSubmissionsOf(db: Db, userId: number, after: number, limit: number): Promise<Submission[]> {
  return (await listOfUserAfter(db, userId, after, limit)).map(submissionOf);
}
