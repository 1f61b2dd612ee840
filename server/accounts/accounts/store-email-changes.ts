import type { Db } from '../../platform/db/database.ts';

/** Stores an email address, new or the account's own, that waits for its confirmation. It replaces an older one. */
export async function upsertEmailChange(
  trx: Db,
  change: { userId: number; email: string; expiresAt: Date },
): Promise<void> {
  const values = { email: change.email, token_hash: null, expires_at: change.expiresAt };
  await trx
    .insertInto('email_changes')
    .values({ user_id: change.userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
}

/** Sets the token of the confirmation link. An older link stops working. @returns whether `email` still waits */
export async function updateEmailToken(
  db: Db,
  { userId, email, tokenHash, expiresAt }: { userId: number; email: string; tokenHash: Buffer; expiresAt: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('email_changes')
    .set({ token_hash: tokenHash, expires_at: expiresAt })
    .where('user_id', '=', userId)
    .where('email', '=', email)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Deletes the user's confirmation link. @returns the address it confirms, undefined when the link is not valid */
export async function consumeEmailChange(
  trx: Db,
  userId: number,
  tokenHash: Buffer,
  now: Date,
): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('email_changes')
    .where('user_id', '=', userId)
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning('email')
    .executeTakeFirst();
  return row?.email;
}

export async function deleteEmailChange(trx: Db, userId: number): Promise<void> {
  await trx.deleteFrom('email_changes').where('user_id', '=', userId).execute();
}
