import type { Submission, SubmissionInput } from '#shared/submissions.ts';
import { countUse } from '../accounts/throttle.ts';
import type { Context } from '../context.ts';
import { listableName } from '../domains/host.ts';
import { oneSource } from '../domains/one-source.ts';
import { plainLine } from '../domains/plain-line.ts';
import { conflict, invalid, notFound } from '../http/errors.ts';
import { findSubmission, insertSubmission } from './store.ts';
import { submissionOf } from './submission-of.ts';
import { notifyAdmins } from './write-letters.ts';

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
  await countUse(db, { key: `submission:${userId}`, mostInAnHour: submissionsPerHour, sentence }, now());
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
