import type { EmailChange } from '#shared/accounts/account-settings.ts';
import type { User } from '#shared/accounts/accounts.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { conflict, invalidField, unauthorized, unavailable } from '../../platform/http/errors.ts';
import type { Exchange } from '../../platform/http/scope.ts';
import { isMailbox, pageLink, queueMail } from '../../platform/mail/mail.ts';
import { toMailName } from '../../platform/mail/names.ts';
import { recordUse } from '../../platform/throttle/throttle.ts';
import type { Topic } from '../../topic.ts';
import { recordAccountEvent } from '../account-events/account-events.ts';
import { endOtherSessions } from '../sessions/sessions.ts';
import { confirmPassword, getAccount, getUser, refuseTakenEmail, requireCodeProof, setEmail } from './accounts.ts';
import { requestConfirmation, toAddressLimit } from './confirmation-email.ts';
import { hashLinkToken } from './link-tokens.ts';
import { lockAccount } from './queries.ts';
import { confirmAddress } from './store.ts';
import { consumeEmailChange } from './store-email-changes.ts';

/** `topics`: all of them, because some store the address. */
type EmailContext = Context & { topics: readonly Topic[] };

/**
 * Changes the account's email address. If the server sends email, the address changes once it is confirmed with the
 * link that is sent to it, else immediately. An account without a password cannot do this: anyone with its session
 * could then set a password with a reset link.
 * @throws 400 for an invalid field, 403 without a recent proof of identity if the account has a second factor, 409 when
 *   another account has the address or the account has no password, 429 after too many attempts
 */
export async function changeEmail(
  context: EmailContext,
  userId: number,
  { email, currentPassword }: EmailChange,
  { request, reply }: Exchange,
): Promise<User> {
  const { config, db, now } = context;
  const account = await getAccount(db, userId);
  if (account.passwordHash === null) throw conflict('Please set a password before you change your email address.');
  requireCodeProof(account, request);
  await confirmPassword(context, account, { password: currentPassword, field: 'currentPassword', request });
  if (email === account.email) throw invalidField('email', 'This is already your email address.');
  if (!isMailbox(email)) throw invalidField('email', 'Please enter a valid email address');
  await refuseTakenEmail(db, userId, email);
  return await db.transaction().execute(async (trx) => {
    // Locks the account before the limits, in the same order as sending a new link.
    if (!(await lockAccount(trx, userId))) throw unauthorized();
    await recordChange(trx, userId, email, now());
    if (config.mail) {
      await recordAccountEvent(trx, request, { userId, kind: 'email-change-requested', now: now() });
      await requestConfirmation(context, trx, userId, email);
    } else await replaceEmail({ ...context, db: trx }, account, email, { request, reply });
    return await getUser({ ...context, db: trx }, userId);
  });
}

/** @throws 429 after too many changes of an account, or to an address */
async function recordChange(trx: Db, userId: number, email: string, now: Date): Promise<void> {
  const toAddress = toAddressLimit(email);
  for (const key of [`email-change:${userId}`, toAddress.key]) await recordUse(trx, { ...toAddress, key }, now);
}

/**
 * Queues a new email with a link that confirms the current address of the account. It replaces older links, also one to
 * a new address.
 * @throws 409 when the address is confirmed or no address that email can be sent to, 429 after too many emails, 503
 *   when email is not configured
 */
export async function resendConfirmation(context: Context, userId: number): Promise<void> {
  const { config, db, now } = context;
  if (!config.mail) throw unavailable('This server does not send email.');
  await db.transaction().execute(async (trx) => {
    const account = await lockAccount(trx, userId);
    if (!account) throw unauthorized();
    if (account.isEmailConfirmed) throw conflict('Your email address is already confirmed.');
    if (!isMailbox(account.email)) throw conflict('Email cannot be sent to your address. Please change it.');
    await recordChange(trx, userId, account.email, now());
    await requestConfirmation(context, trx, userId, account.email);
  });
}

/**
 * Confirms the address that the link of a confirmation email was sent to. A new one replaces the account's address.
 * @throws 400 for `token` when the link is unknown, used, expired or of another account, 409 when another account has
 *   just taken the address
 */
export async function confirmEmail(
  context: EmailContext,
  userId: number,
  token: string,
  { request, reply }: Exchange,
): Promise<User> {
  const { db, now } = context;
  return await db.transaction().execute(async (trx) => {
    // Locks the account before the link, in the same order as deleting the account.
    const account = await lockAccount(trx, userId);
    const email = await consumeEmailChange(trx, userId, hashLinkToken(token), now());
    if (!account || email === undefined) {
      throw invalidField('token', 'This link has expired, was already used or belongs to another account.');
    }
    if (email === account.email) {
      await confirmAddress(trx, userId);
      await recordAccountEvent(trx, request, { userId, kind: 'email-confirmed', now: now() });
    } else await replaceEmail({ ...context, db: trx }, account, email, { request, reply });
    return await getUser({ ...context, db: trx }, userId);
  });
}

/** Replaces the address, ends the other sessions and informs the old address. */
async function replaceEmail(
  context: EmailContext,
  account: Awaited<ReturnType<typeof getAccount>>,
  email: string,
  { request, reply }: Exchange,
): Promise<void> {
  const { db: trx, topics } = context;
  const { id, email: oldEmail, isEmailConfirmed } = account;
  await setEmail(trx, id, email);
  await recordAccountEvent(trx, request, { userId: id, kind: 'email-changed', now: context.now() });
  for (const { personalData } of topics) await personalData?.changeEmail?.(trx, id, { from: oldEmail, to: email });
  await endOtherSessions(context, request, reply, id);
  // An old address that was never confirmed may be someone else's. It gets no text that the account has chosen.
  const name = isEmailConfirmed ? toMailName(account) : undefined;
  const text = [
    name ? `Hello ${name},` : 'Hello,',
    '',
    `The email address of your Linksieve account was changed${isEmailConfirmed ? ` to ${email}` : ''}.`,
    'Emails about your account now go to the new address.',
    '',
    'If you did not change it, someone else knows your password. Please contact us:',
    '',
    pageLink(context.config, '/contact'),
  ].join('\n');
  const to = { name, address: oldEmail };
  await queueMail(context, trx, [{ to, about: id, subject: 'Your Linksieve email address was changed', text }]);
}
