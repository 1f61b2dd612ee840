import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

const columns = [
  'id',
  'email',
  'username',
  'display_name as displayName',
  'photo_url as photoURL',
  'firebase_uid as firebaseUid',
  'is_admin as isAdmin',
  'search_count as searchCount',
  'search_limit as searchLimit',
  'searches_used as searchesUsed',
  'subscription_status as subscriptionStatus',
] as const;

export function findUser(db: Db, id: number) {
  return db.selectFrom('users').select(columns).where('id', '=', id).executeTakeFirst();
}

/** By username or e-mail address, without case. */
export function findUserForLogin(db: Db, name: string) {
  return db
    .selectFrom('users')
    .select([...columns, 'password_hash as passwordHash', 'disabled_at as disabledAt'])
    .where((eb) =>
      eb.or([eb(sql`lower(username)`, '=', name.toLowerCase()), eb(sql`lower(email)`, '=', name.toLowerCase())]),
    )
    .executeTakeFirst();
}

/** Which of the two is taken, without case. */
export async function findTaken(db: Db, username: string, email: string): Promise<'username' | 'email' | undefined> {
  const row = await db
    .selectFrom('users')
    .select(sql<boolean>`lower(username) = ${username.toLowerCase()}`.as('byUsername'))
    .where((eb) =>
      eb.or([eb(sql`lower(username)`, '=', username.toLowerCase()), eb(sql`lower(email)`, '=', email.toLowerCase())]),
    )
    .executeTakeFirst();
  return row && (row.byUsername ? 'username' : 'email');
}

export interface NewUser {
  email: string;
  username: string;
  displayName: string | null;
  passwordHash: string;
  isAdmin: boolean;
}

export function insertUser(db: Db, user: NewUser) {
  return db
    .insertInto('users')
    .values({
      email: user.email,
      username: user.username,
      display_name: user.displayName,
      password_hash: user.passwordHash,
      is_admin: user.isAdmin,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function countUsers(db: Db): Promise<number> {
  const { count } = await db.selectFrom('users').select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  return count;
}

export async function anyAdmin(db: Db): Promise<boolean> {
  return (
    (await db.selectFrom('users').select('id').where('is_admin', '=', true).limit(1).executeTakeFirst()) !== undefined
  );
}

/** @returns whether there is such a user */
export async function setAdmin(db: Db, name: string, isAdmin: boolean): Promise<boolean> {
  const result = await db
    .updateTable('users')
    .set({ is_admin: isAdmin })
    .where((eb) =>
      eb.or([eb(sql`lower(username)`, '=', name.toLowerCase()), eb(sql`lower(email)`, '=', name.toLowerCase())]),
    )
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function insertSession(
  db: Db,
  session: { idHash: Buffer; userId: number; expiresAt: Date; userAgent: string | null; address: string },
): Promise<void> {
  await db
    .insertInto('sessions')
    .values({
      id_hash: session.idHash,
      user_id: session.userId,
      expires_at: session.expiresAt,
      user_agent: session.userAgent,
      address: session.address,
    })
    .execute();
}

/** The person of a live session: not past its end, used since `idleSince`, and the account not disabled. */
export function findSessionUser(db: Db, idHash: Buffer, now: Date, idleSince: Date) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.username', 'users.is_admin as isAdmin', 'sessions.last_seen_at as lastSeenAt'])
    .where('sessions.id_hash', '=', idHash)
    .where('sessions.expires_at', '>', now)
    .where('sessions.last_seen_at', '>', idleSince)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst();
}

export async function touchSession(db: Db, idHash: Buffer, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ last_seen_at: now }).where('id_hash', '=', idHash).execute();
}

export async function deleteSession(db: Db, idHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where('id_hash', '=', idHash).execute();
}

export async function deleteOldSessions(db: Db, now: Date, idleSince: Date): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('expires_at', '<=', now), eb('last_seen_at', '<=', idleSince)]))
    .execute();
}

/** Failures of each key since a moment, and when the oldest of them was. */
export function listFailures(db: Db, keys: string[], since: Date) {
  return db
    .selectFrom('login_failures')
    .select(['key', sql<number>`count(*)`.as('count'), sql<Date>`min(failed_at)`.as('oldest')])
    .where('key', 'in', keys)
    .where('failed_at', '>', since)
    .groupBy('key')
    .execute();
}

export async function insertFailures(db: Db, keys: string[], failedAt: Date): Promise<void> {
  await db
    .insertInto('login_failures')
    .values(keys.map((key) => ({ key, failed_at: failedAt })))
    .execute();
}

export async function deleteFailures(db: Db, keys: string[]): Promise<void> {
  await db.deleteFrom('login_failures').where('key', 'in', keys).execute();
}

export async function deleteOldFailures(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('login_failures').where('failed_at', '<', before).execute();
}
