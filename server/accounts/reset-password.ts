import type { FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '#shared/accounts.ts';
import type { PasswordReset } from '#shared/password-resets.ts';
import type { Context } from '../context.ts';
import { networkOf } from '../http/address.ts';
import { invalid } from '../http/errors.ts';
import { endSessionsOf, startSession } from '../sessions/sessions.ts';
import { countUse, forgetFailures, throttleKeys } from '../throttle/throttle.ts';
import { userOf } from './accounts.ts';
import { hashOfToken } from './make-reset-link.ts';
import { hashPassword } from './passwords.ts';
import { refuseWeak } from './refuse-weak.ts';
import { findUser } from './store.ts';
import { lockUser } from './store-account.ts';
import { findReset, spendReset } from './store-resets.ts';

const sentence = 'Too many tries. Please wait a while and try again.';

/**
 * Gives the account of a link another password, or its first one, ends all its sessions and signs in anew. Throws 400 naming
 * `token` when the link is over, used or unknown, `password` when that is too weak: then the link can be used again; and 429.
 */
export async function resetPassword(
  { config, db, now: clock }: Pick<Context, 'config' | 'db' | 'now'>,
  { token, password }: PasswordReset,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<User> {
  const now = clock();
  await countUse(db, { key: `reset-try:${networkOf(request)}`, mostInAnHour: 60, sentence }, now);
  const tokenHash = hashOfToken(token);
  const account = await findReset(db, tokenHash, now);
  if (!account) throw linkIsOver();
  refuseWeak(password, account, 'password');
  const passwordHash = await hashPassword(password);
  return await db.transaction().execute(async (trx) => {
    // Before the link, as who deletes the account or changes its password does.
    await lockUser(trx, account.id);
    if (!(await spendReset(trx, tokenHash, now, passwordHash))) throw linkIsOver();
    await endSessionsOf(trx, account.id);
    await startSession(trx, request, reply, account.id, now);
    // Whoever was kept out for forgetting the old one has a new one.
    await forgetFailures(trx, throttleKeys(account.id, account.username, networkOf(request)), now);
    const user = await findUser(trx, account.id);
    if (!user) throw linkIsOver();
    return userOf(config, user);
  });
}

function linkIsOver() {
  const words = 'This link is over or was used already. Please ask for a new one.';
  return invalid(words, { token: words });
}
