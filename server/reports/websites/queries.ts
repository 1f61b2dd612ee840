import type { Db } from '../../platform/db/database.ts';
import { columns } from './store.ts';

/** Returns the user's websites, newest first. */
export function listWebsitesOfUser(db: Db, userId: number) {
  return db.selectFrom('websites').select(columns).where('user_id', '=', userId).orderBy('id', 'desc').execute();
}
