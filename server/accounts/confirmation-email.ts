import { fromKysely } from 'pg-boss';
import { confirmationLinkMinutes } from '#shared/account-settings.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { deliverEmail, linkQueueOptions, newMessageId, pageLink } from '../mail/mail.ts';
import { createLinkToken } from './link-tokens.ts';
import { findAccount } from './store.ts';
import { findEmailChange, updateEmailToken, upsertEmailChange } from './store-email-changes.ts';

export const confirmationEmailQueue = { name: 'mail-confirmation', ...linkQueueOptions };

/**
 * Queues an email with a link that confirms an address: a new one, or the current one of the account. It replaces a
 * link that was sent before.
 */
export async function requestConfirmation(
  { jobs, now }: Pick<Context, 'jobs' | 'now'>,
  trx: Db,
  userId: number,
  email: string,
): Promise<void> {
  await upsertEmailChange(trx, { userId, email, expiresAt: linkExpiry(now()) });
  await jobs.send(confirmationEmailQueue.name, { about: userId }, { db: fromKysely(trx) });
}

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
  const account = await findAccount(db, userId);
  const change = await findEmailChange(db, userId, now());
  if (!account || !change) return;
  const { email } = change;
  const { token, tokenHash } = createLinkToken();
  if (!(await updateEmailToken(db, { userId, email, tokenHash, expiresAt: linkExpiry(now()) }))) return;
  const isOwn = email === account.email;
  const { username } = account;
  // The display name of a registration is any text, which must not reach a mailbox that may be someone else's.
  const name = isOwn ? username : account.displayName || username;
  const text = [
    `Hello ${name},`,
    '',
    isOwn
      ? `To confirm that this is the email address of your Linksieve account ${username}, open this link:`
      : `To use this email address for your Linksieve account ${username}, open this link and confirm it:`,
    '',
    pageLink(config, `/account?tab=profile#${token}`),
    '',
    `The link works once and expires in ${confirmationLinkMinutes} minutes. A newer link makes this one invalid.`,
    '',
    isOwn
      ? 'If you have no account with us, ignore this email. We will not send you digests.'
      : 'If you did not request this, ignore this email. The account keeps its current address.',
  ].join('\n');
  const to = { name, address: email };
  const subject = 'Confirm your Linksieve email address';
  await deliverEmail(context, { messageId: newMessageId(config), to, subject, text }, signal);
}

const linkExpiry = (now: Date) => new Date(now.getTime() + confirmationLinkMinutes * 60_000);
