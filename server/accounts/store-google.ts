import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

const columns = [
  'id',
  'username',
  'firebase_uid as firebaseUid',
  'password_hash as passwordHash',
  'disabled_at as disabledAt',
] as const;

export type SignInRow = NonNullable<Awaited<ReturnType<typeof findUserByUid>>>;

export function findUserByUid(db: Db, uid: string) {
  return db.selectFrom('users').select(columns).where('firebase_uid', '=', uid).executeTakeFirst();
}

/** Without case. */
export function findUserByEmail(db: Db, email: string) {
  return db.selectFrom('users').select(columns).where(sql`lower(email)`, '=', email.toLowerCase()).executeTakeFirst();
}

interface FromGoogle {
  displayName: string | null;
  photoURL: string | null;
}

/** A user without a password. @returns undefined when uid, address or username is taken */
export function insertGoogleUser(db: Db, user: FromGoogle & { uid: string; email: string; username: string }) {
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
    .returning('id')
    .executeTakeFirst();
}

/** Takes over how the person is called and looks there; what Google does not say stays. */
export async function updateFromGoogle(db: Db, id: number, { displayName, photoURL }: FromGoogle): Promise<void> {
  await db
    .updateTable('users')
    .set({
      display_name: sql<string | null>`coalesce(${displayName}, display_name)`,
      photo_url: sql<string | null>`coalesce(${photoURL}, photo_url)`,
    })
    .where('id', '=', id)
    .execute();
}

/** Joins a uid with the account whose password is still the one with `passwordHash`. @returns whether it was */
export async function updateUid(db: Db, id: number, uid: string, passwordHash: string): Promise<boolean> {
  const result = await db
    .updateTable('users')
    .set({ firebase_uid: uid })
    .where('id', '=', id)
    .where('password_hash', '=', passwordHash)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
