import type { FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '#shared/accounts.ts';
import type { DebugLogin } from '#shared/debug-login.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { invalid } from '../http/errors.ts';
import { startSession } from '../sessions/sessions.ts';
import { insertAccount, type StoredUser, userOf } from './accounts.ts';
import { findTaken, findUserForLogin } from './store.ts';
import { usernameFor } from './username-for.ts';

/**
 * Signs in as a made-up user, made on first sight without a password and never as an admin. Throws 400 naming `email` for an
 * account that somebody has in earnest, `username` when that is taken.
 */
export async function debugLogIn(
  { config, db, now }: Pick<Context, 'config' | 'db' | 'now'>,
  login: DebugLogin,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<User> {
  return await db.transaction().execute(async (trx) => {
    const user = await findOrMake(trx, login);
    await startSession(trx, request, reply, user.id, now());
    return userOf(config, user);
  });
}

async function findOrMake(trx: Db, { email, name, username }: DebugLogin): Promise<StoredUser> {
  const found = await findUserForLogin(trx, email);
  if (!found) {
    const free = username ?? (await freeUsername(trx, email));
    const account = { email, username: free, displayName: name || free, passwordHash: null, isAdmin: false };
    return await insertAccount(trx, account);
  }
  const inEarnest =
    found.passwordHash !== null || found.firebaseUid !== null || found.disabledAt !== null || found.isAdmin;
  if (!inEarnest) return found;
  const sentence = 'This is the address of a real account. Please choose another one.';
  throw invalid(sentence, { email: sentence });
}

async function freeUsername(trx: Db, email: string): Promise<string> {
  const wish = email.split('@')[0] ?? '';
  const first = usernameFor(wish, 0);
  return (await findTaken(trx, first, email)) ? usernameFor(wish, 1) : first;
}
