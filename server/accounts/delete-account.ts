import type { AccountDeletion } from '#shared/accounts.ts';
import { renameStarter } from '../admin/own-acts.ts';
import type { Context } from '../context.ts';
import { conflict, invalid } from '../http/errors.ts';
import { renameImporter } from '../imports/own-imports.ts';
import { forgetLetters } from '../mail/forget-letters.ts';
import { deleteMessagesOf, renameReplier } from '../messages/own-messages.ts';
import { forgetSubscription } from '../newsletter/subscribe.ts';
import { deleteProfilesOf } from '../profiles/own-profile.ts';
import { endPayments } from '../subscriptions/end-payments.ts';
import { confirmPassword } from './confirm-password.ts';
import { getAccount } from './get-account.ts';
import { type AccountRow, deleteUser, lockUser } from './store-account.ts';
import { lockAdmins } from './store-users.ts';

/** Stands where the username stood. */
const goneAccount = 'deleted account';

/**
 * Deletes the account with all that belongs to it, or all but websites and their reports, which then belong to nobody, and
 * every letter to the person or about them that the queue still holds. What they pay for is cancelled. A running analysis ends
 * by itself and removes its file. Submissions lose their user; imports, maintenance and answers to others lose the name of who
 * did them. The username stays where the site has to tell later who did what: in the audit log, as who acted or whom an act was
 * about, and in 'Added by' of the domains that an admin listed. Throws 400 naming the field that proves nothing, 409 for the
 * last admin and for who became one meanwhile, 429 when throttled.
 */
export async function deleteAccount(
  context: Pick<Context, 'db' | 'jobs' | 'now'>,
  userId: number,
  deletion: AccountDeletion,
  address: string,
): Promise<void> {
  const { db } = context;
  const account = await getAccount(db, userId);
  if (account.passwordHash === null) confirmUsername(account, deletion.username ?? '');
  else await confirmPassword(context, account, deletion.password ?? '', 'password', address);
  await db.transaction().execute(async (trx) => {
    // Of the last two admins only one can go.
    if (account.isAdmin && (await lockAdmins(trx)).every((id) => id === userId)) {
      throw conflict('You are the only admin. Please make somebody else an admin before you delete your account.');
    }
    const now = await lockUser(trx, userId);
    if (now?.isAdmin && !account.isAdmin) {
      throw conflict('You have been made an admin just now. Please look again whether you still want to go.');
    }
    await deleteMessagesOf(trx, userId);
    for (const rename of [renameReplier, renameImporter, renameStarter]) await rename(trx, userId, goneAccount);
    await forgetLetters(trx, { userId, address: account.email });
    await forgetSubscription(trx, account.email);
    await endPayments(context, trx, userId);
    if (!deletion.keepReports) await deleteProfilesOf(trx, userId);
    await deleteUser(trx, userId);
  });
}

function confirmUsername(account: AccountRow, typed: string): void {
  if (typed.toLowerCase() === account.username.toLowerCase()) return;
  const sentence = `Please type your username, ${account.username}, to confirm.`;
  throw invalid(sentence, { username: sentence });
}
