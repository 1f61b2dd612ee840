import type { Db } from '../db/database.ts';

export type AccountRow = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

/** What the person's own account holds, the hash of the password too. */
export function findAccount(db: Db, id: number) {
  return db
    .selectFrom('users')
    .select([
      'id',
      'email',
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
      'created_at as createdAt',
    ])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** @returns whether the password was still the one with `oldHash` */
export async function updatePassword(db: Db, id: number, oldHash: string, newHash: string): Promise<boolean> {
  const result = await db
    .updateTable('users')
    .set({ password_hash: newHash })
    .where('id', '=', id)
    .where('password_hash', '=', oldHash)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function updateEmail(db: Db, id: number, email: string): Promise<void> {
  await db.updateTable('users').set({ email }).where('id', '=', id).execute();
}

/** Nothing is added to the account, and nobody makes it an admin's, until the transaction ends. */
export function lockUser(trx: Db, id: number): Promise<{ isAdmin: boolean } | undefined> {
  return trx.selectFrom('users').select('is_admin as isAdmin').where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Sessions, API keys and analyses go with it; websites that are still there, submissions and audited acts lose their user. */
export async function deleteUser(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('users').where('id', '=', id).execute();
}
