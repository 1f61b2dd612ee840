import { resetLinkMinutes } from '#shared/password-resets.ts';
import type { Context } from '../context.ts';
import { deliverEmail, isMailbox, newMessageId, pageLink } from '../mail/mail.ts';
import { makeResetLink } from './make-reset-link.ts';
import { findUserForLogin } from './store.ts';

/**
 * Mails a link to another password to the account of an address, if there is one that is not disabled. The link is made here,
 * at each try anew, and not queued with the email: so its token is never in the database. Throws when the mail server is away.
 */
export async function mailResetLink(
  context: Context,
  { email }: { email: string },
  signal: AbortSignal,
): Promise<void> {
  const { config, db, now } = context;
  const account = await findUserForLogin(db, email);
  if (!account || account.disabledAt || !isMailbox(account.email)) return;
  const { path } = await makeResetLink(db, account.id, now());
  const text = [
    `Hello ${account.displayName || account.username},`,
    '',
    `somebody, most likely you, asked for a new password for the account ${account.username}. Choose it here:`,
    '',
    pageLink(config, path),
    '',
    `The link works once, within ${resetLinkMinutes} minutes, and only the newest one does.`,
    'If it was not you, do nothing: your password stays as it is.',
  ].join('\n');
  const to = { name: account.displayName || account.username, address: account.email };
  await deliverEmail(
    context,
    { messageId: newMessageId(config), to, subject: 'Choose a new password for Linksieve', text },
    signal,
  );
}
