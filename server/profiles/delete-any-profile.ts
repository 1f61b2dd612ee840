import type { Db } from '../db/database.ts';
import { notFound } from '../http/errors.ts';
import type { Note } from '../http/scope.ts';
import { deleteAny } from './store-owned.ts';

/** Deletes anybody's profile with its reports. Throws 404. */
export async function deleteAnyProfile(db: Db, id: number, note: Note): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const deleted = await deleteAny(trx, id);
    if (!deleted) throw notFound('website profile', id);
    await note(trx, deleted);
  });
}
