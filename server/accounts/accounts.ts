import { type Registration, Registration as RegistrationSchema, type User } from '#shared/accounts.ts';
import type { ManagedUser } from '#shared/users.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { conflict, HttpError, invalid, invalidField, unauthorized } from '../http/errors.ts';
import { countAttempt, clearFailures, throttleKeys } from '../throttle/throttle.ts';
import { hashPassword, verifyPassword, refuseWeakPassword } from './passwords.ts';
import type { AccountRow } from './store.ts';
import * as store from './store.ts';

/** The account of a signed-in user. Throws 401 when it has just been deleted. */
export async function getAccount(db: Db, userId: number): Promise<AccountRow> {
  const account = await store.findAccount(db, userId);
  if (!account) throw unauthorized();
  return account;
}

/** The signed-in user as the API returns it. Throws 401 when the account has just been deleted. */
export async function getUser({ config, db }: Pick<Context, 'config' | 'db'>, id: number): Promise<User> {
  return toUser(config, await getAccount(db, id));
}

/**
 * Everybody has Full Access, whatever tier an older record contains. The search limit is the account's own, else the one from the
 * settings. Admins have none.
 */
export function toUser({ searchLimit }: Pick<Config, 'searchLimit'>, account: AccountRow): User {
  return {
    id: account.id,
    email: account.email,
    username: account.username,
    displayName: account.displayName,
    photoURL: account.photoURL,
    firebaseUid: account.firebaseUid,
    isAdmin: account.isAdmin,
    searchCount: account.searchCount,
    searchLimit: account.isAdmin ? null : (account.searchLimit ?? searchLimit ?? null),
    searchesUsed: account.searchesUsed,
    subscriptionTier: 'full_access',
    subscriptionStatus: account.subscriptionStatus,
  };
}

/** An account as admins see it. */
export function toManagedUser(account: AccountRow): ManagedUser {
  return {
    id: account.id,
    username: account.username,
    email: account.email,
    displayName: account.displayName,
    isAdmin: account.isAdmin,
    isDisabled: account.disabledAt !== null,
    dateCreated: account.createdAt.toISOString(),
    lastSeen: account.lastSeenAt?.toISOString() ?? null,
  };
}

/** The account with a Firebase UID, an email address or a username. */
export async function findManagedUser(db: Db, name: string): Promise<ManagedUser | undefined> {
  const account = await store.findAccountByName(db, name);
  return account && toManagedUser(account);
}

/** The mailboxes of all admins whose accounts are not disabled. */
export async function listAdminAddresses(db: Db): Promise<{ userId: number; name: string; address: string }[]> {
  const admins = await store.listAdmins(db);
  return admins.map(({ id, displayName, username, email }) => ({
    userId: id,
    name: displayName ?? username,
    address: email,
  }));
}

/**
 * Checks that a signed-in user knows the account's password, since the browser may have been left open. A wrong password counts
 * as a failed sign-in. Throws 400 naming `field` for a wrong one, 429 when throttled.
 */
export async function confirmPassword(
  { db, now }: Pick<Context, 'db' | 'now'>,
  account: Pick<AccountRow, 'id' | 'username' | 'passwordHash'>,
  password: string,
  field: 'password' | 'currentPassword',
  address: string,
): Promise<void> {
  const keys = throttleKeys(account.id, account.username, address);
  const at = now();
  await countAttempt(db, keys, at);
  if (!(await verifyPassword(account.passwordHash, password))) {
    throw invalidField(field, 'This is not your current password.');
  }
  await clearFailures(db, keys, at);
}

/** Creates an account. Only the caller can make it an admin, not the request. Throws what its two halves throw. */
export async function registerAccount(db: Db, registration: Registration, isAdmin = false): Promise<AccountRow> {
  return createAccount(db, await prepareAccount(db, registration, isAdmin));
}

/**
 * Checks a registration and hashes its password, which is slow: call it outside of transactions. Throws 400 naming the field that
 * is wrong or taken, 503 when too many passwords wait to be hashed.
 */
export async function prepareAccount(db: Db, registration: Registration, isAdmin = false): Promise<store.NewAccount> {
  const { username, email, password, displayName } = checked(registration);
  refuseWeakPassword(password, { username, email }, 'password');
  const taken = await store.findTakenField(db, username, email);
  if (taken) throw takenError(taken);
  const passwordHash = await hashPassword(password);
  return { email, username, displayName: displayName || username, passwordHash, isAdmin };
}

/** Inserts a prepared account. Throws 400 naming `username` or `email` when it has just been taken. */
export async function createAccount(db: Db, account: store.NewAccount): Promise<AccountRow> {
  try {
    return await store.insertAccount(db, account);
  } catch (error) {
    throw isUniqueViolation(error) ? takenError(error.constraint === 'users_email' ? 'email' : 'username') : error;
  }
}

/** Checks again what the route has checked: the settings and the command line create accounts too. */
function checked(registration: Registration): Registration {
  const parsed = RegistrationSchema.safeParse(registration);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(issue?.message ?? 'This account is not valid.', { [String(issue?.path[0])]: issue?.message ?? '' });
}

/** Whether an insert or update failed because another account has the same value (PostgreSQL's unique_violation). */
export function isUniqueViolation(error: unknown): error is Error & { constraint?: string } {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

/** 400, naming the field. */
export function takenError(field: 'username' | 'email'): HttpError {
  return invalidField(
    field,
    field === 'username' ? 'This username is already taken.' : 'An account with this email address already exists.',
  );
}

const minute = 60_000;

/**
 * How a search relates to the last one. `same` within an hour, so that sorting, paging and coming back cost nothing, also when
 * characters were removed from its end. `typed on` when characters were added within a minute. Else `another`.
 */
export function classifySearch(
  text: string,
  { lastSearch, lastSearchAt }: Pick<AccountRow, 'lastSearch' | 'lastSearchAt'>,
  now: Date,
): 'same' | 'typed on' | 'another' {
  if (lastSearch === null || lastSearchAt === null) return 'another';
  const age = now.getTime() - lastSearchAt.getTime();
  if (age < 60 * minute && lastSearch.startsWith(text)) return 'same';
  return age < minute && text.startsWith(lastSearch) ? 'typed on' : 'another';
}

/**
 * Counts a search of the blacklist unless it is the same as the last one, also when it finds nothing. Concurrent searches are
 * counted one by one. Throws 403 `search_limit`, and counts nothing, for another search beyond the account's limit.
 */
export async function countSearch(
  { config, db, now: clock }: Pick<Context, 'config' | 'db' | 'now'>,
  userId: number,
  text: string,
): Promise<void> {
  const now = clock();
  // Nearly every call ends here, without a lock or a write.
  const seen = await store.findAccount(db, userId);
  if (!seen || classifySearch(text, seen, now) === 'same') return;
  await db.transaction().execute(async (trx) => {
    const account = await store.lockSearchCount(trx, userId);
    const kind = account && classifySearch(text, account, now);
    if (!account || kind === 'same') return;
    if (kind === 'another') refuseOverSearchLimit(toUser(config, account));
    await store.updateLastSearch(trx, userId, text, now, kind === 'another' ? 1 : 0);
  });
}

function refuseOverSearchLimit({ searchLimit, searchesUsed }: User): void {
  if (searchLimit === null || searchesUsed < searchLimit) return;
  throw new HttpError(403, 'search_limit', 'Search limit reached', {
    message: `You have used all ${searchLimit} of your searches.`,
    searchesUsed,
    searchLimit,
  });
}

/**
 * Deletes an account after `deleteRelated` has deleted the person's other data in the same transaction. Throws 409 for the last
 * admin, and for an account that was made an admin since `account` was read.
 */
export async function removeAccount(
  trx: Db,
  account: Pick<AccountRow, 'id' | 'isAdmin'>,
  deleteRelated: () => Promise<void>,
): Promise<void> {
  // Of the last two admins only one can go.
  if (account.isAdmin && (await store.lockAdmins(trx)).every((id) => id === account.id)) {
    throw conflict('You are the only admin. Please make somebody else an admin before you delete your account.');
  }
  const now = await store.lockAccount(trx, account.id);
  if (now?.isAdmin && !account.isAdmin) {
    throw conflict('You have been made an admin just now. Please look again whether you still want to go.');
  }
  await deleteRelated();
  await store.deleteAccount(trx, account.id);
}
