import type { Db } from '../db/database.ts';
import * as store from './store.ts';

/** A page of the imports that the user started, by their ids, behind the id `after`. */
export function listImportsOf(db: Db, userId: number, after: string | undefined, limit: number) {
  return store.listImportsOf(db, userId, after, limit);
}

/** The user's imports stay under this name. */
export function renameImporter(trx: Db, userId: number, name: string): Promise<void> {
  return store.updateImporter(trx, userId, name);
}
