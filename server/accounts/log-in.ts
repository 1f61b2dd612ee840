import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Login, User } from '#shared/accounts.ts';
import type { Context } from '../context.ts';
import { unauthorized } from '../http/errors.ts';
import { isPassword } from './passwords.ts';
import { startSession } from './sessions.ts';
import { findUserForLogin } from './store.ts';
import { forgetFailures, noteFailure, refuseThrottled, throttleKeys } from './throttle.ts';
import { userOf } from './user.ts';

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
  const keys = throttleKeys(found?.id, login.username, request.ip);
  await refuseThrottled(db, keys, now);
  const right = await isPassword(found?.passwordHash, login.password);
  if (!found || !right || found.disabledAt) {
    await noteFailure(db, keys, now);
    throw unauthorized('Invalid username or password');
  }
  return db.transaction().execute(async (trx) => {
    await forgetFailures(trx, keys);
    await startSession(trx, request, reply, found.id, now);
    return userOf(found);
  });
}
