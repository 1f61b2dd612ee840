import type { Db } from '../db/database.ts';
import { listAdmins } from './store.ts';

/** Where the admins are written to: each whose account is not disabled. */
export async function listAdminAddresses(db: Db): Promise<{ userId: number; name: string; address: string }[]> {
  const admins = await listAdmins(db);
  return admins.map(({ id, displayName, username, email }) => ({
    userId: id,
    name: displayName ?? username,
    address: email,
  }));
}
