import type { Db } from '../db/database.ts';
import { listActsOf as listRows } from './store.ts';
import { updateStarter } from './store-maintenance.ts';

/** A page of what the user did as an admin, oldest first, behind the id `after`. */
export function listActsOf(db: Db, userId: number, after: number, limit: number) {
  return listRows(db, userId, after, limit);
}

/** Maintenance that the user started stays under this name. */
export function renameStarter(trx: Db, userId: number, name: string): Promise<void> {
  return updateStarter(trx, userId, name);
}
