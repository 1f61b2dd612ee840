import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Login, type Registration, type User, usernamePattern } from '#shared/accounts.ts';
import type { DebugLogin } from '#shared/debug-login.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { getClientNetwork } from '../http/address.ts';
import { invalidField, unauthorized } from '../http/errors.ts';
import { startSession } from '../sessions/sessions.ts';
import { countRegistration, countTry, forgetFailures, throttleKeys } from '../throttle/throttle.ts';
import { addAccount, prepareAccount, userOf } from './accounts.ts';
import { hashPassword, isOutdated, isPassword } from './passwords.ts';
import { type AccountRow, findAccountByEmail, findAccountByLogin, findTaken, updatePassword } from './store.ts';

/** Creates an account and signs in. Throws what `prepareAccount` and `addAccount` throw, 429 when throttled. */
export async function register(
  { config, db, now }: Context,
  registration: Registration,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<User> {
  await countRegistration(db, getClientNetwork(request), now());
  const prepared = await prepareAccount(db, registration);
  return db.transaction().execute(async (trx) => {
    const account = await addAccount(trx, prepared);
    await startSession(trx, request, reply, account.id, now());
    return userOf(config, account);
  });
}

/** Signs in with a name and a password. Throws 401 when either is wrong, 429 when throttled. */
export async function logIn(
  { config, db, now: clock }: Context,
  { username, password }: Login,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<User> {
  const now = clock();
  const found = await findAccountByLogin(db, username);
  const keys = throttleKeys(found?.id, username, getClientNetwork(request));
  await countTry(db, keys, now);
  const right = await isPassword(found?.passwordHash, password);
  if (!found?.passwordHash || !right || found.disabledAt) throw unauthorized('Invalid username or password');
  const oldHash = found.passwordHash;
  // A hash with older parameters can only be renewed now: the password itself is not stored.
  const newHash = isOutdated(oldHash) ? await hashPassword(password) : oldHash;
  return db.transaction().execute(async (trx) => {
    // Fails when the password has just been changed, which has ended the sessions of the old one.
    const same = await updatePassword(trx, found.id, oldHash, newHash);
    if (!same) throw unauthorized('Invalid username or password');
    await startSession(trx, request, reply, found.id, now);
    await forgetFailures(trx, keys, now);
    return userOf(config, found);
  });
}

/**
 * Signs in as a made-up user, whose account is created on the first sign-in, without a password and never as an admin. Throws 400
 * naming `email` for a real account, `username` when that is taken.
 */
export async function debugLogIn(
  { config, db, now }: Context,
  login: DebugLogin,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<User> {
  return await db.transaction().execute(async (trx) => {
    const account = await findOrAddDebugAccount(trx, login);
    await startSession(trx, request, reply, account.id, now());
    return userOf(config, account);
  });
}

async function findOrAddDebugAccount(trx: Db, { email, name, username }: DebugLogin): Promise<AccountRow> {
  const found = await findAccountByEmail(trx, email);
  if (!found) {
    const free = username ?? (await freeUsername(trx, email));
    return await addAccount(trx, {
      email,
      username: free,
      displayName: name || free,
      passwordHash: null,
      isAdmin: false,
    });
  }
  const isReal =
    found.passwordHash !== null || found.firebaseUid !== null || found.disabledAt !== null || found.isAdmin;
  if (isReal) throw invalidField('email', 'This is the address of a real account. Please choose another one.');
  return found;
}

async function freeUsername(trx: Db, email: string): Promise<string> {
  const wish = email.split('@')[0] ?? '';
  const first = usernameFor(wish, 0);
  return (await findTaken(trx, first, email)) ? usernameFor(wish, 1) : first;
}

/** A valid username for the first, second and any later try: the wish, the wish with a random ending, a random one. */
export function usernameFor(wish: string, attempt: number): string {
  const plain = wish
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '')
    .replace(/^[._-]+/, '')
    .slice(0, 40)
    .replace(/[._-]+$/, '');
  const random = () => randomBytes(4).toString('hex');
  if (!usernamePattern.test(plain) || attempt > 1) return `user_${random()}`;
  return attempt === 0 ? plain : `${plain.slice(0, 31)}-${random()}`;
}
