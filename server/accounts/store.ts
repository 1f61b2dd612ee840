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
  /** null: signs in without one. */
  passwordHash: string | null;
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

/** Admins who can sign in. */
export function listAdmins(db: Db) {
  return db
    .selectFrom('users')
    .select(columns)
    .where('is_admin', '=', true)
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .execute();
}
