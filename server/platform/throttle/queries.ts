import type { Db } from '../db/database.ts';

/** Deletes all failures of an account, so that its owner can sign in at once. */
export async function unlockAccount(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('login_failures').where('user_id', '=', userId).execute();
}
