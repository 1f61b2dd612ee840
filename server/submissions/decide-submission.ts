import type { Decision, ListingOutcome, Submission } from '#shared/submissions.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { listCommunityDomain } from '../domains/list-community-domain.ts';
import { orBusy } from '../domains/or-busy.ts';
import { conflict, notFound } from '../http/errors.ts';
import type { Identity } from '../http/identity.ts';
import type { Note } from '../http/scope.ts';
import { findSubmission, lockSubmission, type SubmissionRow, updateStatus } from './store.ts';
import { submissionOf } from './submission-of.ts';
import { notifySubmitter } from './write-letters.ts';

export interface Decided {
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
  note: Note,
): Promise<Decided> {
  const { db, now } = context;
  return orBusy(
    db.transaction().execute(async (trx) => {
      const pending = await lockPending(trx, id);
      const { status } = decision;
      const domain = status === 'approved' ? await listSite(trx, pending, admin, now()) : null;
      const reason = (status === 'rejected' && decision.reason) || null;
      await updateStatus(trx, id, { status, reason, decidedBy: admin.id }, now());
      const submission = submissionOf(await getSubmission(trx, id));
      await notifySubmitter(context, trx, submission);
      await note(trx, {
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
