import type { Db } from '../db/database.ts';
import { updateStarter } from './store-maintenance.ts';

/** Maintenance that the user started stays under this name. */
export function renameStarter(trx: Db, userId: number, name: string): Promise<void> {
  return updateStarter(trx, userId, name);
}
