import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Login, type Registration, type User, usernamePattern } from '#shared/accounts/accounts.ts';
import type { DebugLogin } from '#shared/accounts/debug-login.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Turn } from '../../platform/db/fair-queue.ts';
import { getClientAddress, getClientNetwork, isBehindUnknownProxy, mayBeProxy } from '../../platform/http/address.ts';
import { invalidField, unauthorized } from '../../platform/http/errors.ts';
import {
  clearFailures,
  hasFailures,
  isCrowded,
  isSharedNetworkReported,
  recordAttempt,
  recordRegistration,
  reportSharedNetwork,
  tryUse,
  withdrawAttempt,
} from '../../platform/throttle/throttle.ts';
import { recordAccountEventOnce, recordFailedAttempt } from '../account-events/account-events.ts';
import { findDevice } from '../devices/devices.ts';
import { hasSessionOnNetwork } from '../sessions/sessions.ts';
import { createAccount, getAccount, getPasswordLimits, prepareAccount, requireLocalSignIn } from './accounts.ts';
import { requestConfirmation, toAddressLimit } from './confirmation-email.ts';
import { listIdentities } from './oidc/store.ts';
import { hashPassword, isOutdatedHash, passwordRanks, toKnownTurn, verifyPassword } from './passwords.ts';
import { signIn } from './sign-in.ts';
import { type AccountRow, findAccountByEmail, findAccountByLogin, findTakenField, updatePassword } from './store.ts';

/**
 * Creates an account and signs in. If the server sends email, the address must be confirmed with an emailed link before
 * the account gets digests. After many emails to the address, no further one is sent.
 * @throws what `prepareAccount` and `createAccount` throw, 403 without local sign-in, 429 when throttled
 */
export async function register(
  context: Context,
  registration: Registration,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<User> {
  const { config, db, now } = context;
  requireLocalSignIn(config);
  await warnAboutSharedNetwork(context, request);
  const network = getClientNetwork(request);
  await recordRegistration(db, network, now());
  const prepared = await prepareAccount(db, registration, { network });
  return signIn(context, { request, reply }, 'account-created', async (trx) => {
    const account = await createAccount(trx, { ...prepared, isEmailConfirmed: config.mail === undefined });
    const isSent = config.mail && (await tryUse(trx, toAddressLimit(account.email), now()));
    if (isSent) await requestConfirmation(context, trx, account.id, account.email);
    return account;
  });
}

/**
 * Signs in with a username or email address and a password.
 * @throws 401 when they are wrong, 403 without local sign-in, 429 when throttled, and what `signIn` throws
 */
export async function logIn(
  context: Context,
  { username, password }: Login,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<User> {
  const { config, db, now: clock } = context;
  requireLocalSignIn(config);
  await warnAboutSharedNetwork(context, request);
  const now = clock();
  const found = await findAccountByLogin(db, username);
  const limits = getPasswordLimits(context, found, username, request);
  const turn = await findTurn(context, found, request, now);
  await recordAttempt(db, limits, now, (id) =>
    recordAccountEventOnce(db, request, { userId: id, kind: 'locked', now }),
  );
  let isCorrect: boolean;
  try {
    isCorrect = await verifyPassword(found?.passwordHash, password, turn);
  } catch (error) {
    // The password was not checked, so this is no failure.
    await withdrawAttempt(db, limits, now);
    throw error;
  }
  // Also for unknown names, so that they take the same time.
  if (!isCorrect) await recordFailedAttempt(db, request, { userId: found?.id ?? 0, kind: 'wrong-password', now });
  if (!found?.passwordHash || !isCorrect || found.disabledAt) throw unauthorized('Invalid username or password');
  const oldHash = found.passwordHash;
  // A hash with outdated parameters can only be renewed at sign-in, because the password itself is not stored.
  const newHash = isOutdatedHash(oldHash) ? await hashPassword(password, toKnownTurn(found.id)) : oldHash;
  return signIn(context, { request, reply }, 'signed-in', async (trx) => {
    // The update fails when the password has just been changed. That change ended all sessions, so none may start now.
    const isUnchanged = await updatePassword(trx, found.id, oldHash, newHash);
    if (!isUnchanged) throw unauthorized('Invalid username or password');
    await clearFailures(trx, limits, now);
    return await getAccount(trx, found.id);
  });
}

/** Returns the turn of a sign-in in the queue of passwords. */
async function findTurn(
  context: Context,
  account: AccountRow | undefined,
  request: FastifyRequest,
  now: Date,
): Promise<Turn> {
  const network = getClientNetwork(request);
  const hasSession = await hasSessionOnNetwork(context.db, account?.id ?? 0, network);
  if (hasSession || (account && findDevice(context, request, account)))
    return { key: network, rank: passwordRanks.known };
  const isSuspect = await hasFailures(context.db, network, now);
  return { key: network, rank: isSuspect ? passwordRanks.suspect : passwordRanks.unknown };
}

/**
 * Signs in as a test user, whose account is created at the first sign-in, without a password and never as an admin.
 * @throws 400 for `email` when it belongs to a real account, and for `username` when it is taken
 */
export async function debugLogIn(
  context: Context,
  login: DebugLogin,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<User> {
  return await signIn(context, { request, reply }, 'signed-in', (trx) => findOrCreateDebugAccount(trx, login));
}

async function findOrCreateDebugAccount(trx: Db, { email, name, username }: DebugLogin): Promise<AccountRow> {
  const found = await findAccountByEmail(trx, email);
  if (!found) {
    const newUsername = username ?? (await findFreeUsername(trx, email));
    return await createAccount(trx, {
      email,
      username: newUsername,
      displayName: name || newUsername,
      passwordHash: null,
      isAdmin: false,
    });
  }
  const isReal =
    found.passwordHash !== null ||
    found.firebaseUid !== null ||
    found.disabledAt !== null ||
    found.isAdmin ||
    (await listIdentities(trx, found.id)).length > 0;
  if (isReal) throw invalidField('email', 'This email address belongs to a real account. Please choose another one.');
  return found;
}

async function findFreeUsername(trx: Db, email: string): Promise<string> {
  const preferred = email.split('@')[0] ?? '';
  const first = generateUsername(preferred, 0);
  return (await findTakenField(trx, first, email)) ? generateUsername(preferred, 1) : first;
}

/**
 * A valid username: `preferred` for attempt 0, `preferred` with a random suffix for attempt 1, a random one for later
 * attempts.
 */
export function generateUsername(preferred: string, attempt: number): string {
  const plain = preferred
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '')
    .replace(/^[._-]+/, '')
    .slice(0, 40)
    .replace(/[._-]+$/, '');
  const random = () => randomBytes(4).toString('hex');
  if (!usernamePattern.test(plain) || attempt > 1) return `user_${random()}`;
  return attempt === 0 ? plain : `${plain.slice(0, 31)}-${random()}`;
}

type ReportContext = Pick<Context, 'db' | 'log' | 'now'>;

/**
 * Warns the operator, at most once an hour, if all visitors seem to have the address of a proxy. Then everyone shares
 * the limits of this address. Call it for each attempt to sign in and each registration.
 */
async function warnAboutSharedNetwork({ db, log, now }: ReportContext, request: FastifyRequest): Promise<void> {
  if (!mayBeProxy(request)) return;
  const at = now();
  if (!isBehindUnknownProxy(request) && !(await isCrowded(db, getClientNetwork(request), at))) return;
  if ((await isSharedNetworkReported(db, at)) || !(await reportSharedNetwork(db, at))) return;
  log.warn(
    `all visitors seem to have the address ${getClientAddress(request)}, so they share its limits: if it is a proxy, set TRUST_PROXY`,
  );
}
