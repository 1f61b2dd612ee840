import type {
  AdminSubmission,
  ListingOutcome,
  Submission,
  SubmissionDecision,
  SubmissionInput,
  SubmissionStatus,
} from '#shared/blacklist/submissions.ts';
import { listAdminAddresses } from '../../accounts/accounts/accounts.ts';
import type { Context } from '../../context.ts';
import { listableName } from '../../hostnames/hosts/hosts.ts';
import type { Db } from '../../platform/db/database.ts';
import { conflict, invalidField, notFound } from '../../platform/http/errors.ts';
import type { Audit, Identity } from '../../platform/http/scope.ts';
import { pageLink, queueMail } from '../../platform/mail/mail.ts';
import { recordUse } from '../../platform/throttle/throttle.ts';
import { requireRoom } from '../../platform/usage/usage.ts';
import {
  addListing,
  findListedDomains,
  type ListedDomain,
  type ListingPreview,
  mapLockError,
  previewListings,
} from '../domains/domains.ts';
import { loadGuard, requireConfirmation } from '../guard/guard.ts';
import { addCommunitySources, toSingleLine, toSingleSource } from '../sources/sources.ts';
import {
  findSubmission,
  insertSubmission,
  listByStatus,
  listOfUser,
  listOfUserAfterId,
  lockSubmission,
  type PageQuery,
  type SubmissionRow,
  updateStatus,
} from './store.ts';

type SubmissionContext = Pick<Context, 'config' | 'db' | 'jobs' | 'log' | 'now'>;

/** Number of sites that one account may submit per hour. */
export const maxSubmissionsPerHour = 30;

/** Errors for texts that consist only of invisible characters. */
const requiredMessages = { source: 'Source is required', niche: 'Niche is required', cost: 'Cost is required' };

/**
 * Stores a submitted site under its normalized name and emails the admins.
 * @throws 400 for a name that cannot be listed, 409 while the user's earlier submission of the site is pending, 429
 *   after too many submissions in an hour
 */
export async function createSubmission(
  context: SubmissionContext,
  userId: number,
  input: SubmissionInput,
): Promise<Submission> {
  const { db, now } = context;
  const listable = listableName(input.domain);
  if ('reason' in listable) throw invalidField('domain', listable.reason);
  const cells = {
    source: toSingleSource(input.source),
    niche: toSingleLine(input.niche),
    cost: toSingleLine(input.cost),
  };
  for (const [field, message] of Object.entries(requiredMessages)) {
    if (cells[field as keyof typeof cells] === '') throw invalidField(field, message);
  }
  const limitMessage = `You have submitted ${maxSubmissionsPerHour} sites in the last hour. Please try again later.`;
  await recordUse(db, { key: `submission:${userId}`, maxPerHour: maxSubmissionsPerHour, limitMessage }, now());
  return db.transaction().execute(async (trx) => {
    const site = { ...input, ...cells, domain: listable.name };
    const id = await insertSubmission(trx, userId, site, now());
    if (id === undefined) throw conflict(`You have already submitted ${listable.name}. It is waiting for review.`);
    await requireRoom(trx, context.config, userId, 'submissions');
    const submission = toSubmission(await getSubmission(trx, id));
    await notifyAdmins(context, trx, userId, submission);
    return submission;
  });
}

interface DecisionResult {
  submission: Submission;
  /** The listing after an approval, and what changed in the blacklist. Null for a rejection. */
  domain: { id: number; domain: string; outcome: ListingOutcome } | null;
}

/**
 * Approves or rejects a pending submission and emails its submitter. An approved site is added to the blacklist in the
 * same transaction.
 * @throws 404, 409 if the submission is already decided, 409 if the site has an allow rule or is protected and the
 *   admin has not confirmed it, and 503 while an import has the domain locked
 */
export async function decideSubmission(
  context: SubmissionContext,
  id: number,
  decision: SubmissionDecision,
  { admin, audit }: { admin: Identity; audit: Audit },
): Promise<DecisionResult> {
  const { db, now } = context;
  return mapLockError(
    db.transaction().execute(async (trx) => {
      const pending = await lockPending(trx, id);
      const { status } = decision;
      const overruled =
        status === 'approved' ? await requireApproval(trx, pending.domain, decision, { admin, now: now() }) : undefined;
      const domain = status === 'approved' ? await addToBlacklist(trx, pending, admin, now()) : null;
      const reason = (status === 'rejected' && decision.reason) || null;
      await updateStatus(trx, id, { status, reason, decidedBy: admin.id }, now());
      const decided = await getSubmission(trx, id);
      const submission = toSubmission(decided);
      // An address that is not confirmed may be someone else's.
      if (decided.isEmailConfirmed) await notifySubmitter(context, trx, submission);
      await audit(trx, {
        domain: submission.domain,
        status,
        ...(reason && { reason }),
        ...(domain && { outcome: domain.outcome }),
        ...(overruled && { overruled }),
      });
      return { submission, domain };
    }),
  );
}

/** @returns the reason that the admin overruled, if the guard protects the site */
async function requireApproval(
  trx: Db,
  domain: string,
  { confirmed }: SubmissionDecision,
  { admin, now }: { admin: Identity; now: Date },
): Promise<string | undefined> {
  const allowedBy = (await loadGuard(trx, [domain]))(domain)?.allowedBy;
  if (allowedBy !== undefined) {
    throw conflict(`${allowedBy} has an allow rule. Delete the rule first if you want to approve ${domain}.`);
  }
  return await requireConfirmation(trx, domain, { isConfirmed: confirmed === true, admin, now });
}

async function lockPending(trx: Db, id: number): Promise<SubmissionRow> {
  if (!(await lockSubmission(trx, id))) throw notFound('site submission', id);
  const row = await getSubmission(trx, id);
  if (row.status === 'pending') return row;
  const by = row.decidedBy ? ` by ${row.decidedBy}` : '';
  throw conflict(`The submission of ${row.domain} was already ${row.status}${by}.`, { status: row.status });
}

async function getSubmission(db: Db, id: number): Promise<SubmissionRow> {
  const row = await findSubmission(db, id);
  if (!row) throw notFound('site submission', id);
  return row;
}

/** Lists the site with its evidence, by its source and the source `community`. */
function addToBlacklist(trx: Db, site: SubmissionRow, admin: Identity, now: Date) {
  const read = addCommunitySources([], site.source);
  if ('reason' in read) throw invalidField('source', read.reason);
  const listing = {
    domain: site.domain,
    sources: read.sources,
    niche: site.niche,
    cost: site.cost,
    price: site.cost,
    // The form sends 0 for no rating.
    domainRating: site.domainRating || null,
    evidenceUrl: findUrl(site.evidence),
    note: site.evidence,
  };
  return addListing(trx, listing, admin.username, now);
}

const url = /https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]']/i;

/** Returns the first URL in a text. */
function findUrl(text: string): string | null {
  return url.exec(text)?.[0] ?? null;
}

/**
 * Returns a page of all users' submissions with one status, newest first, each with the listing of its domain. For
 * admins.
 */
export async function listSubmissions(
  { db, pool }: Pick<Context, 'db' | 'pool'>,
  { status, ...page }: PageQuery & { status: SubmissionStatus },
): Promise<{ submissions: AdminSubmission[]; total: number }> {
  const { rows, total } = await listByStatus(db, status, page);
  const listed = await findListedDomains(
    pool,
    rows.map(({ domain }) => domain),
  );
  const previews = status === 'pending' ? await previewListings(db, rows) : [];
  return {
    submissions: rows.map((row, at) => toAdminSubmission(row, listed.get(row.domain), previews[at])),
    total,
  };
}

/** Returns a page of a user's own submissions, newest first. */
export async function listOwnSubmissions(
  db: Db,
  userId: number,
  page: PageQuery,
): Promise<{ submissions: Submission[]; total: number }> {
  const { rows, total } = await listOfUser(db, userId, page);
  return { submissions: rows.map(toSubmission), total };
}

/** Returns up to `limit` of a user's own submissions with ids above `after`, oldest first. */
export async function listSubmissionsOfUser(
  db: Db,
  userId: number,
  after: number,
  limit: number,
): Promise<Submission[]> {
  return (await listOfUserAfterId(db, userId, after, limit)).map(toSubmission);
}

/** Converts a submission for its submitter, without the admin who decided it. */
function toSubmission({ decidedBy, isEmailConfirmed, ...row }: SubmissionRow): Submission {
  return {
    ...row,
    dateSubmitted: row.dateSubmitted.toISOString(),
    dateDecided: row.dateDecided?.toISOString() ?? null,
  };
}

/**
 * Converts a submission for admins, with the listed domain that covers its domain and a preview of the listing after
 * an approval.
 */
function toAdminSubmission(
  row: SubmissionRow,
  listed: ListedDomain | undefined,
  preview: ListingPreview | undefined,
): AdminSubmission {
  return {
    ...toSubmission(row),
    decidedBy: row.decidedBy,
    listing: listed ?? null,
    preview: preview ?? null,
  };
}

/** Emails every admin about a new submission. */
async function notifyAdmins(
  context: SubmissionContext,
  trx: Db,
  userId: number,
  submission: Submission,
): Promise<void> {
  if (!context.config.mail) return;
  const text = [
    `${submission.submitterEmail ?? 'A user'} submitted ${submission.domain} for the blacklist.`,
    `Source: ${submission.source}\nLink cost: ${submission.cost}\nNiche: ${submission.niche}`,
    `Evidence:\n${submission.evidence}`,
    `Approve or reject it: ${pageLink(context.config, '/admin/submissions')}`,
  ].join('\n\n');
  const admins = await listAdminAddresses(trx);
  await queueMail(
    context,
    trx,
    admins.map((to) => ({ to, subject: `Site submission: ${submission.domain}`, text, about: userId })),
  );
}

/** Emails the decision to the submitter, unless the account has been deleted. */
async function notifySubmitter(context: SubmissionContext, trx: Db, submission: Submission): Promise<void> {
  const { domain, status, reason, submitterEmail } = submission;
  if (!submitterEmail) return;
  const text = [
    `Thank you for submitting ${domain}.`,
    status === 'approved'
      ? 'We verified your evidence, and the domain is now on the blacklist.'
      : 'We could not add it to the blacklist.',
    ...(reason ? [`Reason:\n${reason}`] : []),
    `Your submissions: ${pageLink(context.config, '/submit-sites')}`,
  ].join('\n\n');
  await queueMail(context, trx, [
    { to: { address: submitterEmail }, subject: `Your submission of ${domain} was ${status}`, text },
  ]);
}
