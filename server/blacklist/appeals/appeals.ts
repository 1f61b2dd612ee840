import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { AdminAppeal, Appeal, AppealDecision, AppealInput, Verification } from '#shared/blacklist/appeals.ts';
import { recordAccountEvent } from '../../accounts/account-events/account-events.ts';
import { sendAppealMessage } from '../../accounts/messages/messages.ts';
import type { Context } from '../../context.ts';
import { lookupNames } from '../../hostnames/coverage/coverage.ts';
import { parseHost } from '../../hostnames/links/parse-host.ts';
import type { Db } from '../../platform/db/database.ts';
import { conflict, HttpError, invalidField, notFound } from '../../platform/http/errors.ts';
import type { Audit, Identity } from '../../platform/http/scope.ts';
import { pageLink, queueMail } from '../../platform/mail/mail.ts';
import { recordUse } from '../../platform/throttle/throttle.ts';
import { requireRoom } from '../../platform/usage/usage.ts';
import { findListedDomains, findListedNames, mapLockError } from '../domains/domains.ts';
import { insertAllowRule } from '../guard/guard.ts';
import { delistAndHold } from '../held/held.ts';
import { findProof, proofPlace } from './find-proof.ts';
import * as store from './store.ts';

type AppealContext = Pick<Context, 'config' | 'db' | 'pool' | 'jobs' | 'log' | 'now' | 'outbound'>;

/** Appeals that one account may write per hour. */
const maxAppealsPerHour = 30;
/** Checks of a proof per account and hour. Each one sends a request to another host. */
const maxVerificationsPerHour = 60;

/**
 * Stores an appeal of a user who claims to own the domain.
 * @param request undefined in the demo, whose appeals nobody sent
 * @throws 400 for a text that is no domain, 404 if it is not listed, 409 with `id` while the user has an open appeal
 *   for it, 429 after too many in an hour, and what `requireRoom` throws
 */
export async function createAppeal(
  { config, db, pool, now }: AppealContext,
  userId: number,
  { name, ...input }: AppealInput & { name: string },
  request?: FastifyRequest,
): Promise<Appeal> {
  const domain = parseHost(name);
  const listings = await findListedDomains(pool, [domain]);
  if (!listings.has(domain)) {
    throw new HttpError(404, 'not_found', `${domain} is not on this blacklist, so there is nothing to appeal.`);
  }
  const limitMessage = `You have written ${maxAppealsPerHour} appeals in the last hour. Please try again later.`;
  await recordUse(db, { key: `appeal:${userId}`, maxPerHour: maxAppealsPerHour, limitMessage }, now());
  const token = `linksieve-${randomBytes(16).toString('hex')}`;
  return await db.transaction().execute(async (trx) => {
    const id = await store.insertAppeal(trx, userId, { ...input, domain, token }, now());
    if (id !== undefined) {
      await requireRoom(trx, config, userId, 'appeals');
      if (request) await recordAccountEvent(trx, request, { userId, kind: 'appeal-sent', now: now(), subject: domain });
      return toAppeal(await getAppealRow(trx, id));
    }
    const own = await store.listAppealsForDomain(trx, userId, domain);
    const open = own.find(({ dateDecided }) => dateDecided === null);
    throw conflict(`You already have an open appeal for ${domain}.`, open ? { id: open.id } : {});
  });
}

/** Returns the user's own appeals for a domain, newest first. @throws 400 for a text that is no domain */
export async function listOwnAppeals(db: Db, userId: number, name: string): Promise<Appeal[]> {
  return (await store.listAppealsForDomain(db, userId, parseHost(name))).map(toAppeal);
}

/** Deletes an appeal of the user. @throws 404, and 409 if it is already verified */
export async function withdrawAppeal(
  { db, now }: Pick<AppealContext, 'db' | 'now'>,
  userId: number,
  { name, id }: { name: string; id: number },
  request: FastifyRequest,
): Promise<void> {
  const domain = parseHost(name);
  await db.transaction().execute(async (trx) => {
    if (await store.deleteUnverified(trx, userId, domain, id)) {
      return await recordAccountEvent(trx, request, { userId, kind: 'appeal-withdrawn', now: now(), subject: domain });
    }
    if (!(await store.findAppealOfUser(trx, userId, domain, id))) throw notFound('appeal', id);
    throw conflict('This appeal is already in review and cannot be withdrawn.');
  });
}

/**
 * Looks for the proof of an appeal that has none yet. If it is there, the appeal goes to the admin inbox.
 * @throws 404 for another user's appeal and for one that is withdrawn meanwhile, 429 after too many attempts in an hour
 */
export async function verifyAppeal(
  context: AppealContext,
  userId: number,
  name: string,
  id: number,
): Promise<Verification> {
  const { db, now } = context;
  const domain = parseHost(name);
  const appeal = await store.findAppealOfUser(db, userId, domain, id);
  if (!appeal) throw notFound('appeal', id);
  const limitMessage = `You have checked ${maxVerificationsPerHour} times in the last hour. Please try again later.`;
  await recordUse(db, { key: `appeal-check:${userId}`, maxPerHour: maxVerificationsPerHour, limitMessage }, now());
  if (appeal.state !== 'unverified') return toVerified(appeal);
  const result = await findProof(context, appeal);
  return await db.transaction().execute(async (trx) => {
    const isFirst = result.verified && (await store.markVerified(trx, id, now()));
    if (isFirst) await sendAppealMessage(context, trx, userId, { id, domain, message: appeal.message });
    // A withdrawal or a second check can come first.
    const current = await store.findAppealOfUser(trx, userId, domain, id);
    if (!current) throw notFound('appeal', id);
    const { state } = current;
    return isFirst || state === 'unverified' ? { ...result, state } : toVerified(current);
  });
}

/** The result for an appeal whose proof was found earlier. It may be gone now, which changes nothing. */
function toVerified({ domain, proof, state }: store.AppealRow): Verification {
  const lookedAt = proofPlace(proof, domain);
  return { state, verified: true, lookedAt, found: [], message: `You have already proven that you control ${domain}.` };
}

/** An appeal for admins. @throws 404 */
export async function getAppeal(db: Db, id: number): Promise<AdminAppeal> {
  return toAdminAppeal(db, await getAppealRow(db, id));
}

/**
 * Decides on a verified appeal and emails its author. Delisting removes `names` from the blacklist and adds an allow
 * rule for each, so that no import lists it again and listings of its parents do not apply to it. Listings of its
 * subdomains are held for review. A decision can be changed, but a delisted domain is not listed again.
 * @throws 404, 400 for a name that does not cover the domain, 409 for an appeal that is not verified or has no
 *   statement to publish, and 503 while an import has a domain locked
 */
export async function decideAppeal(
  context: AppealContext,
  id: number,
  { decision, names, publishStatement, reason }: AppealDecision,
  { admin, audit }: { admin: Identity; audit: Audit },
): Promise<AdminAppeal> {
  const { db, now } = context;
  return await mapLockError(
    db.transaction().execute(async (trx) => {
      if (!(await store.lockAppeal(trx, id))) throw notFound('appeal', id);
      const before = await getAppealRow(trx, id);
      const { domain, statement } = before;
      if (before.state === 'unverified') throw conflict(`The owner has not verified ${domain} yet.`);
      if (before.state === 'delisted' && decision === 'keep') {
        const by = before.decidedBy ? ` by ${before.decidedBy}` : '';
        throw conflict(`${domain} was already delisted${by}.`);
      }
      if (publishStatement && !statement) throw conflict('This appeal has no statement to publish.');
      if (names?.some((name) => !lookupNames(domain).includes(name)))
        throw invalidField('names', `Only ${lookupNames(domain).join(' and ')} can be delisted with this appeal.`);
      // Saving a delisting again, for example without the statement, leaves the rules as they are now.
      const decided = decision === 'delist' ? (names ?? (before.state === 'delisted' ? [] : [domain])) : [];
      const changes = await delistNames(trx, decided, { reason, userId: admin.id, now: now() });
      const state = decision === 'delist' ? 'delisted' : 'kept';
      await store.updateDecision(trx, id, { state, reason, publish: publishStatement, decidedBy: admin.id }, now());
      const row = await getAppealRow(trx, id);
      await notifyOwner(context, trx, row);
      await audit(trx, { domain, decision, ...changes, publishStatement, reason });
      return await toAdminAppeal(trx, row);
    }),
  );
}

/** Returns up to `limit` of a user's own appeals with ids above `after`, oldest first. */
export async function listAppealsOfUser(db: Db, userId: number, after: number, limit: number): Promise<Appeal[]> {
  return (await store.listOfUserAfterId(db, userId, after, limit)).map(toAppeal);
}

async function getAppealRow(db: Db, id: number): Promise<store.AppealRow> {
  const row = await store.findAppeal(db, id);
  if (!row) throw notFound('appeal', id);
  return row;
}

/** Returns which of a domain and its parents are listed, the domain first. */
async function listListedNames(db: Db, domain: string): Promise<string[]> {
  const names = lookupNames(domain);
  const risks = await findListedNames(db, names.join('\n'));
  return names.filter((name) => (risks.get(name) ?? 0) > 0);
}

/** Delists names and protects each of them with an allow rule, also those that someone else has delisted. */
async function delistNames(
  trx: Db,
  names: readonly string[],
  { reason, userId, now }: { reason: string; userId: number; now: Date },
): Promise<{ delisted: string[]; heldCount: number }> {
  const ruleReason = `Delisted after an appeal (${reason.replace(/\.$/, '')})`;
  const delisted: string[] = [];
  let heldCount = 0;
  for (const domain of names) {
    await insertAllowRule(trx, { domain, reason: ruleReason, userId, now });
    const removed = await delistAndHold(trx, { domain, reason: ruleReason, decided: names }, now);
    delisted.push(...removed.delisted.filter((name) => names.includes(name)));
    heldCount += removed.heldCount;
  }
  return { delisted, heldCount };
}

function toAppeal({ datePublished, decidedBy, username, ownerEmail, ...row }: store.AppealRow): Appeal {
  return {
    ...row,
    statementPublished: datePublished !== null,
    dateCreated: row.dateCreated.toISOString(),
    dateVerified: row.dateVerified?.toISOString() ?? null,
    dateDecided: row.dateDecided?.toISOString() ?? null,
  };
}

async function toAdminAppeal(db: Db, row: store.AppealRow): Promise<AdminAppeal> {
  const { token: _, ...appeal } = toAppeal(row);
  const { username, decidedBy } = row;
  return { ...appeal, username, decidedBy, listedNames: await listListedNames(db, row.domain) };
}

/** Emails the decision to the author, unless the account has been deleted or its address is not confirmed. */
async function notifyOwner(context: AppealContext, trx: Db, appeal: store.AppealRow): Promise<void> {
  const { domain, state, reason, statement, datePublished, ownerEmail } = appeal;
  if (!ownerEmail) return;
  const published = datePublished
    ? 'Your statement is now on the page of the domain.'
    : 'Your statement was not published.';
  const text = [
    `We have decided on your appeal for ${domain}.`,
    state === 'delisted' ? 'The domain is no longer on the blacklist.' : 'The domain stays on the blacklist.',
    ...(statement ? [published] : []),
    `Reason:\n${reason}`,
    `Your appeal: ${pageLink(context.config, `/domain/${domain}`)}`,
  ].join('\n\n');
  await queueMail(context, trx, [{ to: { address: ownerEmail }, subject: `Your appeal for ${domain}`, text }]);
}
