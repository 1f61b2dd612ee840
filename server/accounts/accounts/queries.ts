import { sql } from 'kysely';
import { countRows, type Db } from '../../platform/db/database.ts';
import { accounts, isNamed } from './store.ts';

/** Whether there is an admin, disabled or not. */
export async function hasAdmin(db: Db): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').where('is_admin', '=', true).limit(1).executeTakeFirst();
  return row !== undefined;
}

export const countRecoveryCodes = (db: Db, userId: number) =>
  countRows(db.selectFrom('recovery_codes').where('user_id', '=', userId));

/** Until the transaction ends, no account can be added, and no user can become an admin. */
export async function lockAccounts(trx: Db): Promise<void> {
  await sql`lock table users in share row exclusive mode`.execute(trx);
}

/**
 * Locks the account until the transaction ends. No row that refers to it can be added, and it cannot become an admin.
 */
export function lockAccount(trx: Db, id: number) {
  return accounts(trx).where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Returns the address that waits for its confirmation, unless it has expired. */
export function findEmailChange(db: Db, userId: number, now: Date) {
  return db
    .selectFrom('email_changes')
    .select(['email', 'expires_at as expiresAt'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** By exact Firebase UID, else by email address or username, ignoring case. */
export function findAccountByName(db: Db, name: string) {
  return accounts(db)
    .where((eb) => eb.or([eb('firebase_uid', '=', name), isNamed(name, name)]))
    .orderBy(sql`firebase_uid is not distinct from ${name}`, 'desc')
    .limit(1)
    .executeTakeFirst();
}
