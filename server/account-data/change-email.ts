import type { FastifyReply, FastifyRequest } from 'fastify';
import { fromKysely } from 'pg-boss';
import { confirmationLinkMinutes, type EmailChange } from '#shared/account-settings.ts';
import type { User } from '#shared/accounts.ts';
import { recordAccountEvent } from '../account-events/account-events.ts';
import {
  confirmPassword,
  createLinkToken,
  getAccount,
  getUser,
  hashLinkToken,
  lockAccount,
  refuseTakenEmail,
  setEmail,
} from '../accounts/accounts.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { resumeDigests } from '../digests/digests.ts';
import { conflict, invalidField } from '../http/errors.ts';
import type { Audit } from '../http/scope.ts';
import { deliverEmail, isMailbox, linkQueueOptions, newMessageId, pageLink, queueMail } from '../mail/mail.ts';
import { moveNewsletterSubscription } from '../newsletter/newsletter.ts';
import { endOtherSessions } from '../sessions/sessions.ts';
import { recordUse } from '../throttle/throttle.ts';
import { consumeEmailChange, findEmailChange, updateEmailToken, upsertEmailChange } from './store.ts';

/** Per account and per new address, because each change sends an email to an address that is not confirmed. */
export const maxEmailChangesPerHour = 5;

/**
 * Changes the account's email address. If the server sends email, the address changes once the link that is sent to it
 * is opened, else immediately. An account without a password cannot do this: anyone with its session could then set a
 * password with a reset link. Throws 400 for an invalid field, 409 when another account has the address or the account
 * has no password, 429 after too many attempts.
 */
export async function changeEmail(
  context: Context,
  userId: number,
  { email, currentPassword }: EmailChange,
  request: FastifyRequest,
  reply: FastifyReply,
  audit: Audit,
): Promise<User> {
  const { config, db, jobs, now } = context;
  const account = await getAccount(db, userId);
  if (account.passwordHash === null) throw conflict('Please set a password before you change your email address.');
  await confirmPassword(context, account, currentPassword, 'currentPassword', request);
  if (email === account.email) throw invalidField('email', 'This is already your email address.');
  if (!isMailbox(email)) throw invalidField('email', 'Please enter a valid email address');
  await refuseTakenEmail(db, userId, email);
  const limitMessage = 'Too many changes of the email address. Please try again later.';
  return await db.transaction().execute(async (trx) => {
    for (const key of [`email-change:${userId}`, `email-change-to:${email.toLowerCase()}`]) {
      await recordUse(trx, { key, maxPerHour: maxEmailChangesPerHour, limitMessage }, now());
    }
    if (config.mail) {
      await recordAccountEvent(trx, request, userId, 'email-change-requested', now());
      await upsertEmailChange(trx, { userId, email, expiresAt: linkExpiry(now()) });
      await jobs.send(confirmationEmailQueue.name, { about: userId }, { db: fromKysely(trx) });
    } else await replaceEmail(context, trx, account, email, request, reply);
    await audit(trx, { status: config.mail ? 'waiting for confirmation' : 'changed' });
    return await getUser({ ...context, db: trx }, userId);
  });
}

/**
 * Replaces the account's email address with the one that the link of a confirmation email was sent to. Throws 400 for
 * `token` when the link is unknown, used, expired or of another account, 409 when another account has just taken the
 * address.
 */
export async function confirmEmail(
  context: Context,
  userId: number,
  token: string,
  request: FastifyRequest,
  reply: FastifyReply,
  audit: Audit,
): Promise<User> {
  const { db, now } = context;
  return await db.transaction().execute(async (trx) => {
    // Locks the account before the link, in the same order as deleting the account.
    const account = await lockAccount(trx, userId);
    const email = await consumeEmailChange(trx, userId, hashLinkToken(token), now());
    if (!account || email === undefined) {
      throw invalidField('token', 'This link has expired, was already used or belongs to another account.');
    }
    await replaceEmail(context, trx, account, email, request, reply);
    await audit(trx);
    return await getUser({ ...context, db: trx }, userId);
  });
}

/** Replaces the address, ends the other sessions and informs the old address. */
async function replaceEmail(
  context: Context,
  trx: Db,
  { id, username, displayName, email: oldEmail }: Awaited<ReturnType<typeof getAccount>>,
  email: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  await setEmail(trx, id, email);
  await recordAccountEvent(trx, request, id, 'email-changed', context.now());
  await resumeDigests(trx, id);
  await moveNewsletterSubscription(trx, oldEmail, email);
  await endOtherSessions({ ...context, db: trx }, request, reply, id);
  const name = displayName || username;
  const text = [
    `Hello ${name},`,
    '',
    `The email address of your Linksieve account ${username} was changed to ${email}.`,
    'Emails about your account now go to the new address.',
    '',
    'If you did not change it, someone else knows your password. Please contact us:',
    '',
    pageLink(context.config, '/contact'),
  ].join('\n');
  const to = { name, address: oldEmail };
  await queueMail(context, trx, [{ to, about: id, subject: 'Your Linksieve email address was changed', text }]);
}

export const confirmationEmailQueue = { name: 'mail-confirmation', ...linkQueueOptions };

/**
 * Emails a confirmation link to the address that waits for it. Each attempt creates a new link. The email is sent
 * directly and not queued, so that the token is never stored in the database. Throws when sending fails.
 * @param about the id of the account; a job with this field is deleted with its account
 */
export async function sendConfirmationEmail(
  context: Context,
  { about: userId }: { about: number },
  signal: AbortSignal,
): Promise<void> {
  const { config, db, now } = context;
  const change = await findEmailChange(db, userId, now());
  if (!change) return;
  const { email } = change;
  const { username, displayName } = await getAccount(db, userId);
  const { token, tokenHash } = createLinkToken();
  if (!(await updateEmailToken(db, { userId, email, tokenHash, expiresAt: linkExpiry(now()) }))) return;
  const name = displayName || username;
  const text = [
    `Hello ${name},`,
    '',
    `To use this email address for your Linksieve account ${username}, open this link and confirm it:`,
    '',
    pageLink(config, `/account?tab=profile#${token}`),
    '',
    `The link works once and expires in ${confirmationLinkMinutes} minutes. A newer link makes this one invalid.`,
    '',
    'If you did not request this, ignore this email. The account keeps its current address.',
  ].join('\n');
  const to = { name, address: email };
  await deliverEmail(
    context,
    { messageId: newMessageId(config), to, subject: 'Confirm your Linksieve email address', text },
    signal,
  );
}

const linkExpiry = (now: Date) => new Date(now.getTime() + confirmationLinkMinutes * 60_000);
