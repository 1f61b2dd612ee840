import { fromKysely } from 'pg-boss';
import { confirmationLinkMinutes } from '#shared/accounts/account-settings.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { deliverEmail, isMailbox, linkQueueOptions, newMessageId, pageLink } from '../../platform/mail/mail.ts';
import type { LimitedUse } from '../../platform/throttle/throttle.ts';
import { createLinkToken } from './link-tokens.ts';
import { findEmailChange } from './queries.ts';
import { findAccount } from './store.ts';
import { updateEmailToken, upsertEmailChange } from './store-email-changes.ts';

export const confirmationEmailQueue = { name: 'mail-confirmation', ...linkQueueOptions };

/** Per account and per address, because the address of such an email may be someone else's. */
export const maxConfirmationsPerHour = 5;

/** The limit of confirmation emails to an address. */
export const toAddressLimit = (email: string): LimitedUse => ({
  key: `email-change-to:${email.toLowerCase()}`,
  maxPerHour: maxConfirmationsPerHour,
  limitMessage: 'Too many requests for this email address. Please try again later.',
});

/**
 * Queues an email with a link that confirms an address: a new one, or the current one of the account. It replaces a
 * link that was sent before, also one to another address.
 */
export async function requestConfirmation(
  { jobs, now }: Pick<Context, 'jobs' | 'now'>,
  trx: Db,
  userId: number,
  email: string,
): Promise<void> {
  await upsertEmailChange(trx, { userId, email, expiresAt: linkExpiry(now()) });
  await jobs.send(confirmationEmailQueue.name, { about: userId, email }, { db: fromKysely(trx) });
}

export interface ConfirmationJob {
  /** The id of the account. A job with this field is deleted with its account. */
  about: number;
  /** Missing in jobs that were queued before version 55 of the schema. */
  email?: string;
}

/**
 * Emails a confirmation link to an address, if the account still waits for its confirmation. Each attempt creates a new
 * link. The email is sent directly and not queued, so that the token is never stored in the database.
 * @throws when sending fails
 */
export async function sendConfirmationEmail(
  context: Context,
  { about: userId, email: requested }: ConfirmationJob,
  signal: AbortSignal,
): Promise<void> {
  const { config, db, now } = context;
  const account = await findAccount(db, userId);
  const change = await findEmailChange(db, userId, now());
  if (!account || account.disabledAt || !change || !isMailbox(change.email)) return;
  const { email } = change;
  if (requested !== undefined && requested !== email) return;
  const { token, tokenHash } = createLinkToken();
  if (!(await updateEmailToken(db, { userId, email, tokenHash, expiresAt: linkExpiry(now()) }))) return;
  const link = pageLink(config, `/account?tab=profile#${token}`);
  const validity = `The link works once and expires in ${confirmationLinkMinutes} minutes. A newer link makes this one invalid.`;
  const isOwn = email === account.email;
  const text = isOwn
    ? [
        // Names of registrations are chosen freely, and the mailbox may be someone else's.
        'Hello,',
        '',
        'To confirm that this is the email address of your Linksieve account, open this link and confirm it:',
        '',
        link,
        '',
        validity,
        '',
        'If you have no account with us, ignore this email. You will get no digests.',
      ]
    : [
        'Hello,',
        '',
        'To use this email address for your Linksieve account, open this link and confirm it:',
        '',
        link,
        '',
        validity,
        '',
        'If you did not request this, ignore this email. The account keeps its current address.',
      ];
  const to = { address: email };
  const subject = 'Confirm your Linksieve email address';
  await deliverEmail(context, { messageId: newMessageId(config), to, subject, text: text.join('\n') }, signal);
}

const linkExpiry = (now: Date) => new Date(now.getTime() + confirmationLinkMinutes * 60_000);
