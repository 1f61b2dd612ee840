import type { FastifyRequest } from 'fastify';
import type { Registration, User } from '#shared/accounts/accounts.ts';
import * as contract from '#shared/accounts/accounts.ts';
import type { ManagedUser } from '#shared/accounts/users.ts';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { hasDbCode, readOnly } from '../../platform/db/transient-error.ts';
import { isUniqueViolation } from '../../platform/db/unique-violation.ts';
import { getClientNetwork, mayBeProxy } from '../../platform/http/address.ts';
import {
  conflict,
  forbidden,
  HttpError,
  invalid,
  invalidField,
  reauthenticationRequired,
  unauthorized,
} from '../../platform/http/errors.ts';
import { toMailName } from '../../platform/mail/names.ts';
import {
  clearFailures,
  type Limit,
  listLockedAccounts,
  recordAttempt,
  sessionLimits,
  signInLimits,
} from '../../platform/throttle/throttle.ts';
import { listUsage, noUsage } from '../../platform/usage/usage.ts';
import { recordAccountEventOnce, recordFailedAttempt } from '../account-events/account-events.ts';
import { findDevice } from '../devices/devices.ts';
import { describeSession } from '../sessions/sessions.ts';
import { hashPassword, passwordRanks, refuseWeakPassword, toKnownTurn, verifyPassword } from './passwords.ts';
import { lockAccount } from './queries.ts';
import type { AccountRow } from './store.ts';
import * as store from './store.ts';
import * as emailChanges from './store-email-changes.ts';
import { deleteReset } from './store-resets.ts';

/** The account of a signed-in user. @throws 401 when the account was just deleted */
export async function getAccount(db: Db, userId: number): Promise<AccountRow> {
  const account = await store.findAccount(db, userId);
  if (!account) throw unauthorized();
  return account;
}

/** The signed-in user as the API returns it. @throws 401 when the account was just deleted */
export async function getUser({ config, db }: Pick<Context, 'config' | 'db'>, id: number): Promise<User> {
  return toUser(config, await getAccount(db, id));
}

/**
 * Converts an account to a user of the API. Everyone has Full Access, regardless of the stored tier. The account's own
 * search limit takes precedence over the `SEARCH_LIMIT` setting. Admins have no limit.
 */
export function toUser(
  { mail, searchLimit, requireAdminSecondFactor }: Pick<Config, 'mail' | 'searchLimit' | 'requireAdminSecondFactor'>,
  account: AccountRow,
): User {
  return {
    id: account.id,
    email: account.email,
    // Nothing can be confirmed without email.
    isEmailConfirmed: account.isEmailConfirmed || mail === undefined,
    username: account.username,
    displayName: account.displayName,
    photoURL: account.photoURL,
    firebaseUid: account.firebaseUid,
    isAdmin: account.isAdmin,
    ...(requireAdminSecondFactor && account.isAdmin && !account.secondFactorAt && { needsSecondFactor: true as const }),
    searchCount: account.searchCount,
    searchLimit: account.isAdmin ? null : (account.searchLimit ?? searchLimit ?? null),
    searchesUsed: account.searchesUsed,
    subscriptionTier: 'full_access',
    subscriptionStatus: account.subscriptionStatus,
  };
}

/** @throws 403 on a server where passwords do not sign in */
export function requireLocalSignIn({ localSignIn }: Pick<Config, 'localSignIn'>): void {
  if (!localSignIn) throw forbidden('Passwords are off on this site. Please sign in with a provider.');
}

/** Accounts as admins see them. */
export async function toManagedUsers(
  { config, db, now }: Pick<Context, 'config' | 'db' | 'now'>,
  accounts: AccountRow[],
): Promise<ManagedUser[]> {
  const locked = await listLockedAccounts(
    db,
    now(),
    accounts.map(({ id }) => id),
  );
  const usage = await listUsage(db, config, accounts);
  return accounts.map((account, i) => ({
    ...toManagedUser(account, locked.has(account.id)),
    usage: usage[i] ?? noUsage,
  }));
}

function toManagedUser(account: AccountRow, isLocked: boolean): Omit<ManagedUser, 'usage'> {
  return {
    id: account.id,
    username: account.username,
    email: account.email,
    isEmailConfirmed: account.isEmailConfirmed,
    displayName: account.displayName,
    isAdmin: account.isAdmin,
    isDisabled: account.disabledAt !== null,
    isLocked,
    hasSecondFactor: account.secondFactorAt !== null,
    dateCreated: account.createdAt.toISOString(),
    lastSeen: account.lastSeenAt?.toISOString() ?? null,
  };
}

/** Names and confirmed email addresses of all admins whose accounts are not disabled. */
export async function listAdminAddresses(
  db: Db,
): Promise<{ userId: number; name: string | undefined; address: string }[]> {
  const admins = await store.listAdmins(db);
  return admins
    .filter(({ isEmailConfirmed }) => isEmailConfirmed)
    .map((admin) => ({ userId: admin.id, name: toMailName(admin), address: admin.email }));
}

/** The limits of an attempt to prove the password of an account. A known device has its own. */
export function getPasswordLimits(
  context: Pick<Context, 'secretKey' | 'now'>,
  account: AccountRow | undefined,
  name: string,
  request: FastifyRequest,
): Limit[] {
  const device = account && findDevice(context, request, account);
  const origin = { network: getClientNetwork(request), isShared: mayBeProxy(request), device: device?.id };
  return signInLimits(account?.id, name, origin);
}

/**
 * Checks the password of an account again, because the session may be used by someone else. Wrong passwords of a
 * session do not count as failed sign-ins, and failed sign-ins do not affect the session. Without a session of the
 * account, a wrong password is a failed sign-in.
 * @throws 400 for `field` when the password is wrong, 429 when throttled
 */
export async function confirmPassword(
  context: Pick<Context, 'db' | 'secretKey' | 'now'>,
  account: AccountRow,
  { password, field, request }: { password: string; field: 'password' | 'currentPassword'; request: FastifyRequest },
): Promise<void> {
  const { db, now } = context;
  const limits =
    request.identity?.id === account.id
      ? sessionLimits(account.id, describeSession(request))
      : getPasswordLimits(context, account, account.username, request);
  const at = now();
  await recordAttempt(db, limits, at, (id) =>
    recordAccountEventOnce(db, request, { userId: id, kind: 'locked', now: at }),
  );
  if (!(await verifyPassword(account.passwordHash, password, toKnownTurn(account.id)))) {
    await recordFailedAttempt(db, request, { userId: account.id, kind: 'wrong-password', now: at });
    throw invalidField(field, 'This is not your current password.');
  }
  await clearFailures(db, limits, at);
}

/**
 * The password alone proves nothing for an account with a second factor.
 * @throws 403 if such an account's session has no recent proof of identity, which includes a code
 */
export function requireCodeProof({ secondFactorAt }: AccountRow, { identity }: FastifyRequest): void {
  if (secondFactorAt && !identity?.isProven) throw reauthenticationRequired();
}

/** Creates an account. @throws what `prepareAccount` and `createAccount` throw */
export async function registerAccount(db: Db, registration: Registration, isAdmin = false): Promise<AccountRow> {
  return createAccount(db, await prepareAccount(db, registration, { isAdmin }));
}

/**
 * Validates a registration and hashes its password. Hashing is slow, so call this outside of transactions.
 * @throws 400 for a field that is invalid or taken, 503 when too many passwords are waiting to be hashed
 */
export async function prepareAccount(
  db: Db,
  registration: Registration,
  { isAdmin = false, network = 'this server' } = {},
): Promise<store.NewAccount> {
  const { username, email, password, displayName } = parseRegistration(registration);
  refuseWeakPassword(password, { username, email }, 'password');
  const taken = await store.findTakenField(db, username, email);
  if (taken) throw takenError(taken);
  const passwordHash = await hashPassword(password, { key: network, rank: passwordRanks.unknown });
  return { email, username, displayName: displayName || username, passwordHash, isAdmin };
}

/** Inserts a prepared account. @throws 400 for `username` or `email` when another account has just taken it */
export async function createAccount(db: Db, account: store.NewAccount): Promise<AccountRow> {
  try {
    return await store.insertAccount(db, account);
  } catch (error) {
    throw isUniqueViolation(error) ? takenError(error.constraint === 'users_email' ? 'email' : 'username') : error;
  }
}

/** Validates again after the route, because the settings and the command line create accounts too. @throws 400 */
function parseRegistration(registration: Registration): Registration {
  const parsed = contract.Registration.safeParse(registration);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(issue?.message ?? 'The account details are invalid.', {
    [String(issue?.path[0])]: issue?.message ?? '',
  });
}

const takenMessages = {
  username: 'This username is already taken.',
  email: 'An account with this email address already exists.',
};

/** A 400 error for the field. */
const takenError = (field: keyof typeof takenMessages) => invalidField(field, takenMessages[field]);

/**
 * Changes an account's email address. It counts as confirmed unless `isConfirmed` is false. Deletes the links that were
 * sent to the old one: for a reset and for a confirmation.
 * @throws 409 for `email` when another account has the address
 */
export async function setEmail(trx: Db, id: number, email: string, isConfirmed = true): Promise<void> {
  try {
    await store.updateEmail(trx, id, email, isConfirmed);
  } catch (error) {
    throw isUniqueViolation(error) ? emailTakenError() : error;
  }
  await deleteReset(trx, id);
  await emailChanges.deleteEmailChange(trx, id);
}

/** @throws 409 for `email` when an account other than `id` has the address */
export async function refuseTakenEmail(db: Db, id: number, email: string): Promise<void> {
  const found = await store.findAccountByEmail(db, email);
  if (found && found.id !== id) throw emailTakenError();
}

const emailTakenError = () => conflict(takenMessages.email, { fields: { email: takenMessages.email } });

const minuteMs = 60_000;

/**
 * How a search relates to the user's last one.
 * - `same`: the last text or a beginning of it, within an hour. Sorting, paging and going back do not count as
 *   searches.
 * - `extended`: the last text with more characters, within a minute. The user is still typing.
 * - `new`: any other search.
 */
export function classifySearch(
  text: string,
  { lastSearch, lastSearchAt }: Pick<AccountRow, 'lastSearch' | 'lastSearchAt'>,
  now: Date,
): 'same' | 'extended' | 'new' {
  if (lastSearch === null || lastSearchAt === null) return 'new';
  const ageMs = now.getTime() - lastSearchAt.getTime();
  if (ageMs < 60 * minuteMs && lastSearch.startsWith(text)) return 'same';
  return ageMs < minuteMs && text.startsWith(lastSearch) ? 'extended' : 'new';
}

/**
 * Counts a search of the blacklist if it is new, even if it finds nothing, and stores its text. Concurrent searches of
 * a user are recorded one after the other.
 * @throws 403 `search_limit`, and records nothing, when the user has reached the search limit
 */
export async function recordSearch(
  { config, db, now: clock }: Pick<Context, 'config' | 'db' | 'now'>,
  userId: number,
  text: string,
): Promise<void> {
  const now = clock();
  // Most calls return here, without a lock or a write.
  const unlocked = await store.findAccount(db, userId);
  if (!unlocked || classifySearch(text, unlocked, now) === 'same') return;
  try {
    await db.transaction().execute(async (trx) => {
      const account = await store.lockSearchCount(trx, userId);
      const kind = account && classifySearch(text, account, now);
      if (!account || kind === 'same') return;
      if (kind === 'new') refuseOverSearchLimit(toUser(config, account));
      await store.updateLastSearch(trx, userId, { text, now, increment: kind === 'new' ? 1 : 0 });
    });
  } catch (error) {
    // Searches work while the database accepts no changes.
    if (!hasDbCode(error, readOnly)) throw error;
  }
}

function refuseOverSearchLimit({ searchLimit, searchesUsed }: User): void {
  if (searchLimit === null || searchesUsed < searchLimit) return;
  throw new HttpError(403, 'search_limit', 'Search limit reached', {
    extras: {
      message: `You have used all ${searchLimit} of your searches.`,
      searchesUsed,
      searchLimit,
    },
  });
}

/**
 * Deletes an account after `deleteRelated`, which deletes the user's other data in the same transaction.
 * @throws 409 for the last admin, and for an account that became an admin after `account` was read
 */
export async function removeAccount(
  trx: Db,
  account: Pick<AccountRow, 'id' | 'isAdmin'>,
  deleteRelated: () => Promise<void>,
): Promise<void> {
  // The lock prevents the last two admins from deleting their accounts at the same time.
  if (account.isAdmin && (await store.lockAdmins(trx)).every((id) => id === account.id)) {
    throw conflict('You are the only admin. Make another user an admin before you delete your account.');
  }
  const now = await lockAccount(trx, account.id);
  if (now?.isAdmin && !account.isAdmin) {
    throw conflict('You were just made an admin. If you still want to delete your account, please try again.');
  }
  await deleteRelated();
  await store.deleteAccount(trx, account.id);
}
