import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PasswordChange, User } from '#shared/accounts.ts';
import { type PasswordReset, type ResetRequest, resetLinkMinutes } from '#shared/password-resets.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { getClientNetwork } from '../http/address.ts';
import { conflict, invalidField, notFound, unavailable } from '../http/errors.ts';
import type { Audit, Identity } from '../http/scope.ts';
import { deliverEmail, isMailbox, newMessageId, pageLink } from '../mail/mail.ts';
import { endOtherSessions, endSessionsOf, startSession } from '../sessions/sessions.ts';
import { countUse, forgetFailures, throttleKeys } from '../throttle/throttle.ts';
import { confirmPassword, getAccount, userOf } from './accounts.ts';
import { hashPassword, refuseWeak } from './passwords.ts';
import { findAccount, findAccountByEmail, lockAccount, updatePassword } from './store.ts';
import { deleteReset, findReset, spendReset, upsertReset } from './store-resets.ts';

/**
 * Changes the account's password. Ends its other sessions and its reset link, to lock out anyone else with the old password.
 * Throws 400 naming the field that is wrong, 409 for an account without a password or one whose password has just changed, 429
 * when throttled.
 */
export async function changePassword(
  context: Pick<Context, 'db' | 'now'>,
  userId: number,
  { currentPassword, newPassword }: PasswordChange,
  request: FastifyRequest,
): Promise<void> {
  const { db } = context;
  const account = await getAccount(db, userId);
  const { passwordHash: oldHash } = account;
  if (oldHash === null) throw conflict('Your account has no password: you sign in with Google.');
  await confirmPassword(context, account, currentPassword, 'currentPassword', getClientNetwork(request));
  refuseWeak(newPassword, account, 'newPassword');
  if (newPassword === currentPassword) {
    throw invalidField('newPassword', 'Please choose a password that is not the one you have.');
  }
  const newHash = await hashPassword(newPassword);
  await db.transaction().execute(async (trx) => {
    if (!(await updatePassword(trx, userId, oldHash, newHash))) {
      throw conflict('Your password was changed elsewhere meanwhile. Please sign in again.');
    }
    await deleteReset(trx, userId);
    await endOtherSessions(trx, request, userId);
  });
}

/** Links are useless after an hour: while the mail server is away, sending is retried for half an hour. */
export const resetLinkQueue = {
  name: 'mail-reset-link',
  retryLimit: 10,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 300,
  expireInSeconds: 120,
  // The address may belong to a person without an account.
  deleteAfterSeconds: 3600,
};

/**
 * Queues an email with a reset link to the account of an address. The job finds out whether there is one, so that neither the
 * response nor its time reveals it. Throws 429 after 20 requests from one network or 5 for one mailbox in an hour, 503 where no
 * mail is sent.
 */
export async function requestReset(
  { config, db, jobs, now }: Pick<Context, 'config' | 'db' | 'jobs' | 'now'>,
  { email }: ResetRequest,
  address: string,
): Promise<void> {
  if (!config.mail) throw unavailable('This server sends no mail. Please ask an admin for a link to a new password.');
  const mailbox = email.toLowerCase();
  const sentence = 'Too many new passwords were asked for. Please try again later.';
  await countUse(db, { key: `reset:${address}`, maxPerHour: 20, sentence }, now());
  await countUse(db, { key: `reset-for:${mailbox}`, maxPerHour: 5, sentence }, now());
  await jobs.send(resetLinkQueue.name, { email: mailbox });
}

/**
 * Emails a reset link to the account of an address, if there is one that is not disabled. Each try makes a new link. The email is
 * not queued, so that the token is never stored in the database. Throws when the mail server is away.
 */
export async function mailResetLink(
  context: Context,
  { email }: { email: string },
  signal: AbortSignal,
): Promise<void> {
  const { config, db, now } = context;
  const account = await findAccountByEmail(db, email);
  if (!account || account.disabledAt || !isMailbox(account.email)) return;
  const { path } = await makeResetLink(db, account.id, now());
  const name = account.displayName || account.username;
  const text = [
    `Hello ${name},`,
    '',
    `somebody, most likely you, asked for a new password for the account ${account.username}. Choose it here:`,
    '',
    pageLink(config, path),
    '',
    `The link works once, within ${resetLinkMinutes} minutes, and only the newest one does.`,
    'If it was not you, do nothing: your password stays as it is.',
  ].join('\n');
  const to = { name, address: account.email };
  const subject = 'Choose a new password for Linksieve';
  await deliverEmail(context, { messageId: newMessageId(config), to, subject, text }, signal);
}

export interface ResetLink {
  /** Path of the page that takes the new password. The token is behind the #: browsers send it to no server. */
  path: string;
  expiresAt: Date;
}

/** Makes a link that changes the account's password once. It replaces older ones. */
export async function makeResetLink(db: Db, userId: number, now: Date): Promise<ResetLink> {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(now.getTime() + resetLinkMinutes * 60_000);
  await upsertReset(db, { userId, tokenHash: hashOfToken(token), expiresAt });
  return { path: `/auth?tab=reset#${token}`, expiresAt };
}

/**
 * Makes a link for an admin to hand to the account's owner. Throws 404, and 409 for the admin's own account, for a disabled one,
 * and for one without a password: its owner has to prove first that the mailbox is theirs.
 */
export async function makeResetLinkFor(
  db: Db,
  id: number,
  admin: Identity,
  now: Date,
  audit: Audit,
): Promise<ResetLink> {
  return await db.transaction().execute(async (trx) => {
    const account = await findAccount(trx, id);
    if (!account) throw notFound('account', id);
    if (id === admin.id) throw conflict('This is your own account. Please change your password in My Account.');
    if (account.disabledAt) throw conflict('This account is disabled. Please enable it first.');
    if (!account.passwordHash) throw conflict('This account has no password: it signs in with Google.');
    await audit(trx, { username: account.username });
    return await makeResetLink(trx, id, now);
  });
}

/**
 * Sets the password of a link's account, ends all its sessions and signs in. Throws 400 naming `token` when the link has expired,
 * was used or is unknown, 400 naming `password` when that is too weak (the link stays valid), and 429.
 */
export async function resetPassword(
  { config, db, now: clock }: Pick<Context, 'config' | 'db' | 'now'>,
  { token, password }: PasswordReset,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<User> {
  const now = clock();
  const network = getClientNetwork(request);
  const sentence = 'Too many tries. Please wait a while and try again.';
  await countUse(db, { key: `reset-try:${network}`, maxPerHour: 60, sentence }, now);
  const tokenHash = hashOfToken(token);
  const account = await findReset(db, tokenHash, now);
  if (!account) throw linkIsOver();
  refuseWeak(password, account, 'password');
  const passwordHash = await hashPassword(password);
  return await db.transaction().execute(async (trx) => {
    // Locks the account before the link, as deleting the account and changing its password do.
    await lockAccount(trx, account.id);
    if (!(await spendReset(trx, tokenHash, now, passwordHash))) throw linkIsOver();
    await endSessionsOf(trx, account.id);
    await startSession(trx, request, reply, account.id, now);
    // Failed sign-ins with the forgotten password no longer count.
    await forgetFailures(trx, throttleKeys(account.id, account.username, network), now);
    return userOf(config, await getAccount(trx, account.id));
  });
}

const linkIsOver = () => invalidField('token', 'This link is over or was used already. Please ask for a new one.');

const hashOfToken = (token: string) => createHash('sha256').update(token).digest();
