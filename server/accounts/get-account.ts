import type { Db } from '../db/database.ts';
import { unauthorized } from '../http/errors.ts';
import { type AccountRow, findAccount } from './store-account.ts';

/** The account of the person who asks. Throws 401 when it went while they asked. */
export async function getAccount(db: Db, userId: number): Promise<AccountRow> {
  const account = await findAccount(db, userId);
  if (!account) throw unauthorized();
  return account;
}
