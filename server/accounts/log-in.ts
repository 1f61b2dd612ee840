import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Login, User } from '#shared/accounts.ts';
import type { Context } from '../context.ts';
import { networkOf } from '../http/address.ts';
import { unauthorized } from '../http/errors.ts';
import { startSession } from '../sessions/sessions.ts';
import { countTry, forgetFailures, throttleKeys } from '../throttle/throttle.ts';
import { userOf } from './accounts.ts';
import { hashPassword, isOutdated, isPassword } from './passwords.ts';
import { findUserForLogin } from './store.ts';
import { updatePassword } from './store-account.ts';

/** Signs in with a name and a password. Throws 401 for any mistake in either, 429 when throttled. */
export async function logIn(
  context: Context,
  login: Login,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<User> {
  const { db } = context;
  const now = context.now();
  const found = await findUserForLogin(db, login.username);
  const keys = throttleKeys(found?.id, login.username, networkOf(request));
  await countTry(db, keys, now);
  const right = await isPassword(found?.passwordHash, login.password);
  if (!found?.passwordHash || !right || found.disabledAt) throw unauthorized('Invalid username or password');
  const oldHash = found.passwordHash;
  // Only now the password itself is at hand.
  const newHash = isOutdated(oldHash) ? await hashPassword(login.password) : undefined;
  return db.transaction().execute(async (trx) => {
    // Another password may have been set meanwhile, which ended every session of the old one.
    const same = await updatePassword(trx, found.id, oldHash, newHash ?? oldHash);
    if (!same) throw unauthorized('Invalid username or password');
    await startSession(trx, request, reply, found.id, now);
    await forgetFailures(trx, keys, now);
    return userOf(context.config, found);
  });
}
