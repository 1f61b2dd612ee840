import type { Db } from '../../platform/db/database.ts';
import { columns } from './store.ts';

/** Returns the user's profiles, newest first. */
export function listProfilesOfUser(db: Db, userId: number) {
  return db.selectFrom('profiles').select(columns).where('user_id', '=', userId).orderBy('id', 'desc').execute();
}
