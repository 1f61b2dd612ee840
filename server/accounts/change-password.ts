import type { FastifyRequest } from 'fastify';
import type { PasswordChange } from '#shared/accounts.ts';
import type { Context } from '../context.ts';
import { networkOf } from '../http/address.ts';
import { conflict, invalid } from '../http/errors.ts';
import { endOtherSessions } from '../sessions/sessions.ts';
import { confirmPassword, getAccount } from './accounts.ts';
import { hashPassword } from './passwords.ts';
import { refuseWeak } from './refuse-weak.ts';
import { updatePassword } from './store-account.ts';
import { deleteReset } from './store-resets.ts';

/**
 * Gives the account another password and ends its other sessions and a link to another one: whoever knows the old one is out.
 * Throws 400 naming the field that is wrong, 409 for an account without a password or one that changed meanwhile, 429 when
 * throttled.
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
  await confirmPassword(context, account, currentPassword, 'currentPassword', networkOf(request));
  refuseWeak(newPassword, account, 'newPassword');
  if (newPassword === currentPassword) {
    const sentence = 'Please choose a password that is not the one you have.';
    throw invalid(sentence, { newPassword: sentence });
  }
  const newHash = await hashPassword(newPassword);
  await db.transaction().execute(async (trx) => {
    if (!(await updatePassword(trx, userId, oldHash, newHash)))
      throw conflict('Your password was changed elsewhere meanwhile. Please sign in again.');
    await deleteReset(trx, userId);
    await endOtherSessions(trx, request, userId);
  });
}
