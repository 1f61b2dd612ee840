import type { Db } from '../../platform/db/database.ts';
import { columns } from './store.ts';

/** Returns the user's websites or one of them, newest first, with those that are hidden until an upload succeeds. */
export function listWebsitesOfUser(db: Db, userId: number, id?: number) {
  return db
    .selectFrom('websites')
    .select(columns)
    .where('user_id', '=', userId)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .orderBy('id', 'desc')
    .execute();
}

/** Removes a website that was deleted before a time. @returns whether there was one */
export async function removeDeletedWebsite(trx: Db, before: Date): Promise<boolean> {
  const due = trx.selectFrom('websites').select('id').where('deleted_at', '<', before).limit(1);
  const { numDeletedRows } = await trx.deleteFrom('websites').where('id', 'in', due).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Shows a website that was hidden until an upload for it succeeds. */
export async function showWebsite(trx: Db, id: number): Promise<void> {
  await trx
    .updateTable('websites')
    .set({ awaits_upload: false })
    .where('id', '=', id)
    .where('awaits_upload', '=', true)
    .execute();
}
