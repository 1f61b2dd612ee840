import type { PasswordChange } from '#shared/accounts/account-settings.ts';
import type { User } from '#shared/accounts/accounts.ts';
import { type PasswordReset, type ResetRequest, resetLinkMinutes } from '#shared/accounts/password-resets.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { getClientNetwork } from '../../platform/http/address.ts';
import { conflict, invalidField, notFound, unavailable } from '../../platform/http/errors.ts';
import type { Audit, Exchange, Identity } from '../../platform/http/scope.ts';
import { deliverEmail, isMailbox, linkQueueOptions, newMessageId, pageLink } from '../../platform/mail/mail.ts';
import { hasWebAddress, toMailName } from '../../platform/mail/names.ts';
import { unlockAccount } from '../../platform/throttle/queries.ts';
import { recordUse } from '../../platform/throttle/throttle.ts';
import type { Topic } from '../../topic.ts';
import { recordAccountEvent } from '../account-events/account-events.ts';
import { endOtherSessions, endSessionsOfUser } from '../sessions/sessions.ts';
import { confirmPassword, getAccount, requireCodeProof, requireLocalSignIn } from './accounts.ts';
import { endLastingAccess } from './end-access.ts';
import { createLinkToken, hashLinkToken } from './link-tokens.ts';
import { hashPassword, refuseWeakPassword, toKnownTurn } from './passwords.ts';
import { lockAccount } from './queries.ts';
import { deleteSecondFactor } from './second-factor/store.ts';
import { signIn } from './sign-in.ts';
import { confirmAddress, findAccount, findAccountByEmail, updatePassword } from './store.ts';
import { deleteEmailChange } from './store-email-changes.ts';
import { consumeReset, deleteReset, findReset, upsertReset } from './store-resets.ts';

/**
 * Changes the account's password. Ends its other sessions and its reset link and forgets its other devices, to lock out
 * anyone who knows the old password.
 * @throws 400 for an invalid field, 403 without a recent proof of identity if the account has a second factor, 409 when
 *   the account has no password or the password was just changed, 429 when throttled
 */
export async function changePassword(
  context: Pick<Context, 'db' | 'secretKey' | 'now'>,
  userId: number,
  { currentPassword, newPassword }: PasswordChange,
  { request, reply }: Exchange,
): Promise<void> {
  const { db } = context;
  const account = await getAccount(db, userId);
  const { passwordHash: oldHash } = account;
  if (oldHash === null)
    throw conflict('Your account has no password because you sign in with Google or another provider.');
  requireCodeProof(account, request);
  await confirmPassword(context, account, { password: currentPassword, field: 'currentPassword', request });
  refuseWeakPassword(newPassword, account, 'newPassword');
  if (newPassword === currentPassword) {
    throw invalidField('newPassword', 'Please choose a password that differs from your current one.');
  }
  const newHash = await hashPassword(newPassword, toKnownTurn(userId));
  await db.transaction().execute(async (trx) => {
    if (!(await updatePassword(trx, userId, oldHash, newHash))) {
      throw conflict('Your password was just changed in another session. Please sign in again.');
    }
    await deleteReset(trx, userId);
    await recordAccountEvent(trx, request, { userId, kind: 'password-changed', now: context.now() });
    await endOtherSessions({ ...context, db: trx }, request, reply, userId);
  });
}

export const resetLinkQueue = { name: 'mail-reset-link', ...linkQueueOptions };

/**
 * Queues an email with a reset link to an email address. The job looks up the account, so that neither the response nor
 * its time reveals whether there is one.
 * @throws 403 without local sign-in, 429 after 20 requests from one network or 5 for one email address in an hour, 503
 *   when email is not configured
 */
export async function requestReset(
  { config, db, jobs, now }: Pick<Context, 'config' | 'db' | 'jobs' | 'now'>,
  { email }: ResetRequest,
  network: string,
): Promise<void> {
  requireLocalSignIn(config);
  if (!config.mail)
    throw unavailable('This server does not send email. Please ask an admin for a password reset link.');
  const mailbox = email.toLowerCase();
  const limitMessage = 'Too many password reset requests. Please try again later.';
  await recordUse(db, { key: `reset:${network}`, maxPerHour: 20, limitMessage }, now());
  await recordUse(db, { key: `reset-for:${mailbox}`, maxPerHour: 5, limitMessage }, now());
  await jobs.send(resetLinkQueue.name, { email: mailbox });
}

/**
 * Emails a reset link to an address if it belongs to an account that is not disabled. Each attempt creates a new link.
 * The email is sent directly and not queued, so that the token is never stored in the database.
 * @throws when sending fails
 */
export async function sendResetLink(
  context: Context,
  { email }: { email: string },
  signal: AbortSignal,
): Promise<void> {
  const { config, db, now } = context;
  const account = await findAccountByEmail(db, email);
  if (!account || account.disabledAt || !isMailbox(account.email)) return;
  const { path } = await createResetLink(db, account.id, now(), true);
  // Until the address is confirmed, the mailbox may be someone else's and the names may be a text for its owner.
  const name = account.isEmailConfirmed ? toMailName(account) : undefined;
  const accountName = account.isEmailConfirmed && !hasWebAddress(account.username) ? ` ${account.username}` : '';
  const text = [
    name ? `Hello ${name},` : 'Hello,',
    '',
    `We received a request to reset the password of your Linksieve account${accountName}.`,
    'To choose a new password, open this link:',
    '',
    pageLink(config, path),
    '',
    `The link works once and expires in ${resetLinkMinutes} minutes. A newer link makes this one invalid.`,
    '',
    'If you did not request a password reset, ignore this email. Your password will not change.',
  ].join('\n');
  const to = { name, address: account.email };
  const subject = 'Reset your Linksieve password';
  await deliverEmail(context, { messageId: newMessageId(config), to, subject, text }, signal);
}

export interface ResetLink {
  /** Path of the page for choosing a new password. The token follows the `#`, which browsers do not send to servers. */
  path: string;
  expiresAt: Date;
}

/**
 * Creates a link that can set the account's password once, within `resetLinkMinutes`. It replaces older links.
 * @param byEmail whether it is emailed to the account's address, which it then confirms
 */
export async function createResetLink(db: Db, userId: number, now: Date, byEmail = false): Promise<ResetLink> {
  const { token, tokenHash } = createLinkToken();
  const expiresAt = new Date(now.getTime() + resetLinkMinutes * 60_000);
  await upsertReset(db, { userId, tokenHash, expiresAt, byEmail });
  return { path: `/auth?tab=reset#${token}`, expiresAt };
}

/**
 * Creates a reset link that an admin can give to the account's owner.
 * @throws 404 for an unknown account
 * @throws 409 for the admin's own account, a disabled account, and an account without a password, whose owner must
 *   request a link by email to prove that the mailbox is theirs
 */
export async function createResetLinkAsAdmin(
  db: Db,
  id: number,
  { admin, now, audit }: { admin: Identity; now: Date; audit: Audit },
): Promise<ResetLink> {
  return await db.transaction().execute(async (trx) => {
    const account = await findAccount(trx, id);
    if (!account) throw notFound('account', id);
    if (id === admin.id) throw conflict('This is your own account. Change your password in My Account.');
    if (account.disabledAt) throw conflict('This account is disabled. Please enable it first.');
    if (!account.passwordHash)
      throw conflict('This account has no password because its owner signs in with Google or another provider.');
    await audit(trx, { username: account.username });
    return await createResetLink(trx, id, now);
  });
}

/**
 * Sets the password of a reset link's account, ends all its sessions, unlocks it and signs in. Until the address of an
 * account is confirmed, it may have been registered by someone other than the owner of the mailbox. So a reset also
 * ends all other access and turns off the second factor, and an emailed link confirms the address.
 * @throws 400 for `token` when the link is unknown, used or expired, 400 for `password` when it is too weak (the link
 *   stays valid), 429 when throttled, and what `signIn` throws: the password is then changed, but the account needs its
 *   second factor
 */
export async function resetPassword(
  context: Pick<Context, 'config' | 'db' | 'secretKey' | 'now'>,
  { token, password }: PasswordReset,
  { request, reply }: Exchange,
  topics: readonly Topic[],
): Promise<User> {
  const { db, now: clock } = context;
  const now = clock();
  const network = getClientNetwork(request);
  const limitMessage = 'Too many attempts. Please wait a while and try again.';
  await recordUse(db, { key: `reset-try:${network}`, maxPerHour: 60, limitMessage }, now);
  const tokenHash = hashLinkToken(token);
  const account = await findReset(db, tokenHash, now);
  if (!account) throw invalidLinkError();
  refuseWeakPassword(password, account, 'password');
  const passwordHash = await hashPassword(password, toKnownTurn(account.id));
  return await signIn(context, { request, reply }, 'signed-in-reset-link', async (trx) => {
    // Locks the account before the link, in the same order as deleting the account and changing its password.
    await lockAccount(trx, account.id);
    const link = await consumeReset(trx, tokenHash, now, passwordHash);
    if (!link) throw invalidLinkError();
    await recordAccountEvent(trx, request, { userId: account.id, kind: 'password-changed', now });
    await endSessionsOfUser(trx, account.id);
    // Failed sign-ins with the forgotten password no longer count.
    await unlockAccount(trx, account.id);
    const { isEmailConfirmed } = await getAccount(trx, account.id);
    if (!isEmailConfirmed) {
      await deleteSecondFactor(trx, account.id);
      await deleteEmailChange(trx, account.id);
      await endLastingAccess(topics, { ...context, db: trx }, account.id, request);
      if (link.byEmail) await confirmAddress(trx, account.id);
    }
    return await getAccount(trx, account.id);
  });
}

const invalidLinkError = () =>
  invalidField('token', 'This link has expired or has already been used. Please request a new one.');
