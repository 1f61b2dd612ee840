import type {
  Decision,
  ListingOutcome,
  ReviewedSubmission,
  Submission,
  SubmissionInput,
  SubmissionStatus,
} from '#shared/submissions.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import {
  findListings,
  type Listing,
  type ListingPreview,
  listCommunityDomain,
  mapLockError,
  previewListings,
} from '../domains/domains.ts';
import { listableName } from '../hosts/hosts.ts';
import { conflict, invalid, notFound } from '../http/errors.ts';
import type { Audit, Identity } from '../http/scope.ts';
import { oneSource, plainLine } from '../sources/sources.ts';
import { countUse } from '../throttle/throttle.ts';
import {
  findSubmission,
  insertSubmission,
  listByStatus,
  listOfUser,
  listOfUserAfter,
  lockSubmission,
  type PageWanted,
  type SubmissionRow,
  updateStatus,
} from './store.ts';
import { notifyAdmins, notifySubmitter } from './write-letters.ts';

/** Sites that one account may suggest in an hour. */
export const submissionsPerHour = 30;

/** What is told where nothing is left of a text without signs that nobody sees. */
const required = { source: 'Source is required', niche: 'Niche is required', cost: 'Cost is required' };

/**
 * Puts a suggested site before the admins, under its normalised name, and writes to them. Throws 400 for a name that cannot be
 * listed, 409 while the same person waits for a decision on it, 429 after too many in an hour.
 */
export async function createSubmission(
  context: Pick<Context, 'db' | 'now' | 'config' | 'jobs' | 'log'>,
  userId: number,
  input: SubmissionInput,
): Promise<Submission> {
  const { db, now } = context;
  const named = listableName(input.domain);
  if ('reason' in named) throw invalid(named.reason, { domain: named.reason });
  const cells = { source: oneSource(input.source), niche: plainLine(input.niche), cost: plainLine(input.cost) };
  for (const [field, sentence] of Object.entries(required)) {
    if (cells[field as keyof typeof cells] === '') throw invalid(sentence, { [field]: sentence });
  }
  const sentence = `You have suggested ${submissionsPerHour} sites in the last hour. Please try again later.`;
  await countUse(db, { key: `submission:${userId}`, maxPerHour: submissionsPerHour, sentence }, now());
  return db.transaction().execute(async (trx) => {
    const site = { ...input, ...cells, domain: named.name };
    const id = await insertSubmission(trx, userId, site, now());
    if (id === undefined) {
      throw conflict(`You have already submitted ${named.name}. It is waiting for review.`);
    }
    const row = await findSubmission(trx, id);
    if (!row) throw notFound('site submission', id);
    const submission = submissionOf(row);
    await notifyAdmins(context, trx, userId, submission);
    return submission;
  });
}

interface Decided {
  submission: Submission;
  /** What an approval did to the blacklist; null for a rejection. */
  domain: { id: number; domain: string; outcome: ListingOutcome } | null;
}

/**
 * Approves or rejects a pending submission; an approved site is listed in the same transaction, and the submitter gets a letter.
 * Throws 404, 409 when it is decided already, 503 while an import holds the domain.
 */
export async function decideSubmission(
  context: Pick<Context, 'db' | 'now' | 'config' | 'jobs' | 'log'>,
  id: number,
  decision: Decision,
  admin: Identity,
  audit: Audit,
): Promise<Decided> {
  const { db, now } = context;
  return mapLockError(
    db.transaction().execute(async (trx) => {
      const pending = await lockPending(trx, id);
      const { status } = decision;
      const domain = status === 'approved' ? await listSite(trx, pending, admin, now()) : null;
      const reason = (status === 'rejected' && decision.reason) || null;
      await updateStatus(trx, id, { status, reason, decidedBy: admin.id }, now());
      const submission = submissionOf(await getSubmission(trx, id));
      await notifySubmitter(context, trx, submission);
      await audit(trx, {
        domain: submission.domain,
        status,
        ...(reason && { reason }),
        ...(domain && { outcome: domain.outcome }),
      });
      return { submission, domain };
    }),
  );
}

async function lockPending(trx: Db, id: number): Promise<SubmissionRow> {
  if (!(await lockSubmission(trx, id))) throw notFound('site submission', id);
  const row = await getSubmission(trx, id);
  if (row.status === 'pending') return row;
  const who = row.decidedBy ? `${row.decidedBy} ${row.status} it` : `it is ${row.status}`;
  throw conflict(`The submission of ${row.domain} is already decided: ${who}.`, { status: row.status });
}

async function getSubmission(db: Db, id: number): Promise<SubmissionRow> {
  const row = await findSubmission(db, id);
  if (!row) throw notFound('site submission', id);
  return row;
}

function listSite(trx: Db, { domain, source, niche, cost, domainRating }: SubmissionRow, admin: Identity, now: Date) {
  // The form sends 0 where nobody gave a rating.
  return listCommunityDomain(
    trx,
    { domain, source, niche, cost, domainRating: domainRating || null },
    admin.username,
    now,
  );
}

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
  const foreseen = status === 'pending' ? await previewListings(db, rows) : [];
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

/** A submission as its submitter may see it: who decided is for admins. */
function submissionOf({ decidedBy, ...row }: SubmissionRow): Submission {
  return {
    ...row,
    dateSubmitted: row.dateSubmitted.toISOString(),
    dateDecided: row.dateDecided?.toISOString() ?? null,
  };
}

/** A submission as admins see it, with what covers its domain in the blacklist and what approving it would make of that. */
function reviewedSubmissionOf(
  row: SubmissionRow,
  listing: Listing | undefined,
  foreseen: ListingPreview | undefined,
): ReviewedSubmission {
  return {
    ...submissionOf(row),
    decidedBy: row.decidedBy,
    listing: listing
      ? {
          id: listing.id,
          domain: listing.domain,
          riskLevel: listing.riskLevel,
          sourceCount: listing.sourceCount,
        }
      : null,
    foreseen: foreseen ?? null,
  };
}
