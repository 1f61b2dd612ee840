import { type Registration, Registration as RegistrationSchema, type User } from '#shared/accounts.ts';
import type { ManagedUser } from '#shared/users.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { conflict, HttpError, invalid, notFound, unauthorized } from '../http/errors.ts';
import { countTry, forgetFailures, throttleKeys } from '../throttle/throttle.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { refuseWeak } from './refuse-weak.ts';
import { findTaken, findUser, insertUser, listAdmins, type NewUser } from './store.ts';
import { type AccountRow, deleteUser, findAccount, lockUser } from './store-account.ts';
import { findSearches, lockSearches, type SearchState, saveSearch } from './store-searches.ts';
import { findUserByName, lockAdmins, type ManagedUserRow } from './store-users.ts';

/** The account of the person who asks. Throws 401 when it went while they asked. */
export async function getAccount(db: Db, userId: number): Promise<AccountRow> {
  const account = await findAccount(db, userId);
  if (!account) throw unauthorized();
  return account;
}

/** The person's account as it is now. Throws 401 when it went while they asked. */
export async function readUser({ config, db }: Pick<Context, 'config' | 'db'>, id: number): Promise<User> {
  const found = await findUser(db, id);
  if (!found) throw unauthorized();
  return userOf(config, found);
}

/** An account as the table has it. */
export type StoredUser = Omit<User, 'subscriptionTier'>;

/**
 * Everybody has Full Access, whatever tier an older record names. The limit of searches is the person's own, else the
 * setting's; admins have none.
 */
export function userOf({ searchLimit }: Pick<Config, 'searchLimit'>, stored: StoredUser): User {
  return {
    id: stored.id,
    email: stored.email,
    username: stored.username,
    displayName: stored.displayName,
    photoURL: stored.photoURL,
    firebaseUid: stored.firebaseUid,
    isAdmin: stored.isAdmin,
    searchCount: stored.searchCount,
    searchLimit: stored.isAdmin ? null : (stored.searchLimit ?? searchLimit ?? null),
    searchesUsed: stored.searchesUsed,
    subscriptionTier: 'full_access',
    subscriptionStatus: stored.subscriptionStatus,
  };
}

/** Where the admins are written to: each whose account is not disabled. */
export async function listAdminAddresses(db: Db): Promise<{ userId: number; name: string; address: string }[]> {
  const admins = await listAdmins(db);
  return admins.map(({ id, displayName, username, email }) => ({
    userId: id,
    name: displayName ?? username,
    address: email,
  }));
}

/** The account of a Firebase UID, an e-mail address or a username. */
export async function findPerson(db: Db, name: string): Promise<ManagedUser | undefined> {
  const row = await findUserByName(db, name);
  return row && managedUserOf(row, row.id);
}

/** Throws 404 for no row. */
export function managedUserOf(row: ManagedUserRow | undefined, id: number): ManagedUser {
  if (!row) throw notFound('account', id);
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    displayName: row.displayName,
    isAdmin: row.isAdmin,
    isDisabled: row.disabledAt !== null,
    dateCreated: row.createdAt.toISOString(),
    lastSeen: row.lastSeenAt?.toISOString() ?? null,
  };
}

/**
 * Makes sure that a signed-in person knows the account's password: a browser left open does not. Mistakes count as failed
 * sign-ins. Throws 400 naming `field` for a wrong one, 429 when throttled.
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
  await countTry(db, keys, at);
  if (await isPassword(account.passwordHash, password)) return forgetFailures(db, keys, at);
  const sentence = 'This is not your current password.';
  throw invalid(sentence, { [field]: sentence });
}

/** PostgreSQL's word for a value that another row has. */
export const uniqueViolation = '23505';

/** Creates an account; never an admin unless the caller, not the request, says so. Throws what its two halves throw. */
export async function registerAccount(db: Db, registration: Registration, isAdmin = false): Promise<StoredUser> {
  return insertAccount(db, await prepareAccount(db, registration, isAdmin));
}

/**
 * The first half: checks and hashes, which takes long and stands outside of every transaction.
 * Throws 400 naming the field that is wrong or taken, 503 when too many wait for their hash.
 */
export async function prepareAccount(db: Db, registration: Registration, isAdmin = false): Promise<NewUser> {
  const { username, email, password, displayName } = checked(registration);
  refuseWeak(password, { username, email }, 'password');
  const taken = await findTaken(db, username, email);
  if (taken) throw takenError(taken);
  const passwordHash = await hashPassword(password);
  return { email, username, displayName: displayName || username, passwordHash, isAdmin };
}

/** The second half. Throws 400 naming `username` or `email` when it was taken meanwhile. */
export async function insertAccount(db: Db, account: NewUser): Promise<StoredUser> {
  try {
    return await insertUser(db, account);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === uniqueViolation) {
      throw takenError('constraint' in error && error.constraint === 'users_email' ? 'email' : 'username');
    }
    throw error;
  }
}

/** Not every account comes through the form, whose call is checked already. */
function checked(registration: Registration): Registration {
  const parsed = RegistrationSchema.safeParse(registration);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(issue?.message ?? 'This account is not valid.', { [String(issue?.path[0])]: issue?.message ?? '' });
}

/** 400, naming the field. */
export function takenError(field: 'username' | 'email') {
  const sentence =
    field === 'username' ? 'This username is already taken.' : 'An account with this email address already exists.';
  return invalid(sentence, { [field]: sentence });
}

const minute = 60_000;
const sameFor = 60 * minute;
const typingFor = minute;

/**
 * What a text is to the last one that was searched for. The `same` within an hour, so that sorting, paging and coming back cost
 * nothing, or with letters taken away at its end; `typed on` when letters were added within a minute; else `another`.
 */
export function kindOfSearch(
  text: string,
  last: Pick<SearchState, 'text' | 'at'>,
  now: Date,
): 'same' | 'typed on' | 'another' {
  if (last.text === null || last.at === null) return 'another';
  const age = now.getTime() - last.at.getTime();
  if (age < sameFor && last.text.startsWith(text)) return 'same';
  return age < typingFor && text.startsWith(last.text) ? 'typed on' : 'another';
}

/**
 * Counts a search of the blacklist, where it is another one than the last; also when it finds nothing. Searches at the same
 * moment are counted one by one. Throws 403 `search_limit` for another search of somebody who has used up theirs; then nothing
 * is counted.
 */
export async function countSearch(
  { config, db, now: clock }: Pick<Context, 'config' | 'db' | 'now'>,
  userId: number,
  text: string,
): Promise<void> {
  const now = clock();
  const seen = await findSearches(db, userId);
  // Without a lock or a write, as nearly always: whoever sorts or pages waits for nobody.
  if (!seen || kindOfSearch(text, seen, now) === 'same') return;
  await db.transaction().execute(async (trx) => {
    const state = await lockSearches(trx, userId);
    const kind = state && kindOfSearch(text, state, now);
    if (!state || kind === 'same') return;
    if (kind === 'another') refuseBeyond(state, config.searchLimit);
    await saveSearch(trx, userId, text, now, kind === 'another' ? 1 : 0);
  });
}

function refuseBeyond({ isAdmin, searchLimit, searchesUsed }: SearchState, usual: number | undefined): void {
  const limit = searchLimit ?? usual;
  if (isAdmin || limit === undefined || searchesUsed < limit) return;
  throw new HttpError(403, 'search_limit', 'Search limit reached', {
    message: `You have used all ${limit} of your searches.`,
    searchesUsed,
    searchLimit: limit,
  });
}

/**
 * Deletes an account once `deleteRelated` has deleted, in the same transaction, what else is stored about the person. Throws 409 for
 * the last admin, and for someone who was made an admin since `account` was read.
 */
export async function removeAccount(
  trx: Db,
  account: Pick<AccountRow, 'id' | 'isAdmin'>,
  deleteRelated: () => Promise<void>,
): Promise<void> {
  // Of the last two admins only one can go.
  if (account.isAdmin && (await lockAdmins(trx)).every((id) => id === account.id)) {
    throw conflict('You are the only admin. Please make somebody else an admin before you delete your account.');
  }
  const now = await lockUser(trx, account.id);
  if (now?.isAdmin && !account.isAdmin) {
    throw conflict('You have been made an admin just now. Please look again whether you still want to go.');
  }
  await deleteRelated();
  await deleteUser(trx, account.id);
}
