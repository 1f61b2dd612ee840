import type { Db } from '../db/database.ts';
import { notFound } from '../http/errors.ts';
import type { Audit } from '../http/scope.ts';
import * as store from './store.ts';

/** Deletes a message with its replies. Throws 404. */
export async function deleteMessage(db: Db, id: number, audit: Audit): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const subject = await store.deleteMessage(trx, id);
    if (subject === undefined) throw notFound('message', id);
    await audit(trx, { subject });
  });
}
