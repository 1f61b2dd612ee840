import type { Db } from '../db/database.ts';
import * as store from './store.ts';

/** A page of the user's analyses, by their ids, behind the id `after`. */
export function listAnalysesOf(db: Db, userId: number, after: string | undefined, limit: number) {
  return store.listAnalysesOf(db, userId, after, limit);
}
