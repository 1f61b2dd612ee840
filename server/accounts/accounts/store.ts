import { type Expression, type SqlBool, sql } from 'kysely';
import { type Db, toLikePattern } from '../../platform/db/database.ts';

const columns = [
  'id',
  'email',
  'email_confirmed as isEmailConfirmed',
  'username',
  'display_name as displayName',
  'photo_url as photoURL',
  'firebase_uid as firebaseUid',
  'password_hash as passwordHash',
  'is_admin as isAdmin',
  'search_count as searchCount',
  'searches_used as searchesUsed',
  'search_limit as searchLimit',
  'last_search as lastSearch',
  'last_search_at as lastSearchAt',
  'subscription_status as subscriptionStatus',
  'created_at as createdAt',
  'disabled_at as disabledAt',
  'last_seen_at as lastSeenAt',
  'device_version as deviceVersion',
  'second_factor_at as secondFactorAt',
] as const;

export type AccountRow = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

export function accounts(db: Db) {
  return db.selectFrom('users').select(columns);
}

/** Whether an account has the username or the email address, ignoring case. */
export const isNamed = (username: string, email: string) =>
  sql<SqlBool>`(lower(username) = ${username.toLowerCase()} or lower(email) = ${email.toLowerCase()})`;

export function findAccount(db: Db, id: number) {
  return accounts(db).where('id', '=', id).executeTakeFirst();
}

/** By username or email address, ignoring case. */
export function findAccountByLogin(db: Db, name: string) {
  return accounts(db).where(isNamed(name, name)).executeTakeFirst();
}

/** Ignores case. */
export function findAccountByEmail(db: Db, email: string) {
  return accounts(db).where(sql`lower(email)`, '=', email.toLowerCase()).executeTakeFirst();
}

export function findAccountByUid(db: Db, uid: string) {
  return accounts(db).where('firebase_uid', '=', uid).executeTakeFirst();
}

/** The field that another account already uses, ignoring case. Undefined when both are free. */
export async function findTakenField(
  db: Db,
  username: string,
  email: string,
): Promise<'username' | 'email' | undefined> {
  const row = await db
    .selectFrom('users')
    .select(sql<boolean>`lower(username) = ${username.toLowerCase()}`.as('byUsername'))
    .where(isNamed(username, email))
    .executeTakeFirst();
  return row && (row.byUsername ? 'username' : 'email');
}

export interface AccountFilter {
  search?: string | undefined;
  show: 'all' | 'admins' | 'disabled' | 'locked';
}

/**
 * A page of accounts, newest first, and the number of all that match.
 * @param locked the ids of locked accounts, for the filter of the same name
 */
export async function listAccounts(
  db: Db,
  { search, show }: AccountFilter,
  locked: number[],
  { offset, limit }: { offset: number; limit: number },
) {
  const matching = db
    .selectFrom('users')
    .$if(show === 'admins', (query) => query.where('is_admin', '=', true))
    .$if(show === 'disabled', (query) => query.where('disabled_at', 'is not', null))
    .$if(show === 'locked', (query) => query.where(sql<SqlBool>`id = any(${locked}::bigint[])`))
    .$if(search !== undefined, (query) => query.where(contains(search ?? '')));
  const [rows, { total }] = await Promise.all([
    matching.select(columns).orderBy('id', 'desc').offset(offset).limit(limit).execute(),
    matching.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

function contains(text: string): Expression<SqlBool> {
  const pattern = toLikePattern(text.toLowerCase());
  return sql<SqlBool>`(
    lower(username) like ${pattern} or lower(email) like ${pattern} or lower(display_name) like ${pattern}
    or firebase_uid = ${text}
  )`;
}

export async function countAccounts(db: Db): Promise<number> {
  const { count } = await db.selectFrom('users').select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  return count;
}

/** Admins whose accounts are not disabled, by id. */
export function listAdmins(db: Db) {
  return accounts(db).where('is_admin', '=', true).where('disabled_at', 'is', null).orderBy('id').execute();
}

/**
 * Locks all admins whose accounts are not disabled, so that they stay admins until the transaction ends. Returns their
 * ids.
 */
export async function lockAdmins(trx: Db): Promise<number[]> {
  const rows = await trx
    .selectFrom('users')
    .select('id')
    .where('is_admin', '=', true)
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/** Locks the account for counting searches until the transaction ends. Rows that refer to it can still be added. */
export function lockSearchCount(trx: Db, id: number) {
  return accounts(trx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

export interface NewAccount {
  email: string;
  /** Default: true. */
  isEmailConfirmed?: boolean;
  username: string;
  displayName: string | null;
  /** Null for an account that signs in with Google or another provider only. */
  passwordHash: string | null;
  isAdmin: boolean;
}

const toUserRow = (account: NewAccount) => ({
  email: account.email,
  email_confirmed: account.isEmailConfirmed ?? true,
  username: account.username,
  display_name: account.displayName,
  password_hash: account.passwordHash,
  is_admin: account.isAdmin,
});

export function insertAccount(db: Db, account: NewAccount) {
  return db.insertInto('users').values(toUserRow(account)).returning(columns).executeTakeFirstOrThrow();
}

/** @returns undefined when the email address or the username is taken */
export function insertAccountIfFree(db: Db, account: NewAccount) {
  return db
    .insertInto('users')
    .values(toUserRow(account))
    .onConflict((oc) => oc.doNothing())
    .returning(columns)
    .executeTakeFirst();
}

/** Does nothing when the stored hash is no longer `oldHash`. @returns whether the hash was updated */
export async function updatePassword(db: Db, id: number, oldHash: string, newHash: string): Promise<boolean> {
  const result = await db
    .updateTable('users')
    .set({ password_hash: newHash })
    .where('id', '=', id)
    .where('password_hash', '=', oldHash)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Sets the name that the user has chosen. */
export async function updateName(db: Db, id: number, name: string): Promise<void> {
  await db.updateTable('users').set({ display_name: name, has_own_name: true }).where('id', '=', id).execute();
}

export async function updateEmail(db: Db, id: number, email: string, isConfirmed: boolean): Promise<void> {
  await db.updateTable('users').set({ email, email_confirmed: isConfirmed }).where('id', '=', id).execute();
}

/** Records that the current address is confirmed. */
export async function confirmAddress(db: Db, id: number): Promise<void> {
  await db.updateTable('users').set({ email_confirmed: true }).where('id', '=', id).execute();
}

/** Unlinks the Google identity of an account that has a password. Does nothing without one: nobody could sign in. */
export async function unlinkGoogle(trx: Db, id: number): Promise<void> {
  await trx
    .updateTable('users')
    .set({ firebase_uid: null })
    .where('id', '=', id)
    .where('password_hash', 'is not', null)
    .execute();
}

export function updateIsAdmin(db: Db, id: number, isAdmin: boolean) {
  return db.updateTable('users').set({ is_admin: isAdmin }).where('id', '=', id).returning(columns).executeTakeFirst();
}

/**
 * Disables the account, or enables it when `now` is null. An account that is already disabled keeps its original date.
 */
export function updateDisabled(db: Db, id: number, now: Date | null) {
  return db
    .updateTable('users')
    .set({ disabled_at: now && sql<Date>`coalesce(disabled_at, ${now})` })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
}

/** @param increment 1 for a new search, 0 for one that extends the last */
export async function updateLastSearch(
  trx: Db,
  id: number,
  { text, now, increment }: { text: string; now: Date; increment: 0 | 1 },
): Promise<void> {
  await trx
    .updateTable('users')
    .set({
      last_search: text,
      last_search_at: now,
      search_count: sql`search_count + ${increment}`,
      searches_used: sql`searches_used + ${increment}`,
    })
    .where('id', '=', id)
    .execute();
}

export async function resetSearchCount(db: Db, id: number): Promise<void> {
  await db.updateTable('users').set({ searches_used: 0 }).where('id', '=', id).execute();
}

/**
 * The database also deletes its sessions, API keys, analyses and subscription. Other rows, such as submissions and
 * audit events, remain without a user.
 */
export async function deleteAccount(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('users').where('id', '=', id).execute();
}

interface GoogleProfile {
  displayName: string | null;
  photoURL: string | null;
}

/** Inserts an account without a password. @returns undefined when the UID, email address or username is taken */
export function insertGoogleAccount(db: Db, user: GoogleProfile & { uid: string; email: string; username: string }) {
  return db
    .insertInto('users')
    .values({
      firebase_uid: user.uid,
      email: user.email,
      username: user.username,
      display_name: user.displayName ?? user.username,
      photo_url: user.photoURL,
    })
    .onConflict((oc) => oc.doNothing())
    .returning(columns)
    .executeTakeFirst();
}

/** Google's values. The stored values stay where Google has none, and where the user has chosen a name. */
const profileColumns = ({ displayName, photoURL }: GoogleProfile) => ({
  display_name: sql<
    string | null
  >`case when has_own_name then display_name else coalesce(${displayName}, display_name) end`,
  photo_url: sql<string | null>`coalesce(${photoURL}, photo_url)`,
});

export function updateFromGoogle(db: Db, id: number, profile: GoogleProfile) {
  return db
    .updateTable('users')
    .set(profileColumns(profile))
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
}

/**
 * Links a Google identity with the account's address to the account, and confirms the address. Does nothing and returns
 * undefined when the account is disabled, has another address or its hash is no longer `passwordHash`.
 */
export function linkGoogleIdentity(
  db: Db,
  id: number,
  google: GoogleProfile & { uid: string; email: string },
  passwordHash: string,
) {
  return db
    .updateTable('users')
    .set({ firebase_uid: google.uid, email_confirmed: true, ...profileColumns(google) })
    .where('id', '=', id)
    .where(sql`lower(email)`, '=', google.email.toLowerCase())
    .where('password_hash', '=', passwordHash)
    .where('disabled_at', 'is', null)
    .returning(columns)
    .executeTakeFirst();
}
