import type { Db } from '../../platform/db/database.ts';

/** Stores an account's reset link. It replaces an older one. */
export async function upsertReset(
  db: Db,
  reset: { userId: number; tokenHash: Buffer; expiresAt: Date; byEmail: boolean },
): Promise<void> {
  const values = { token_hash: reset.tokenHash, expires_at: reset.expiresAt, by_email: reset.byEmail };
  await db
    .insertInto('password_resets')
    .values({ user_id: reset.userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
}

/** The account of a reset link. Undefined when the link has expired or the account is disabled. */
export function findReset(db: Db, tokenHash: Buffer, now: Date) {
  return db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .select(['users.id', 'users.username', 'users.email'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
}

/**
 * Deletes the link and sets the password of its account.
 * @returns whether the link was emailed; undefined when it is no longer valid
 */
export async function consumeReset(
  trx: Db,
  tokenHash: Buffer,
  now: Date,
  passwordHash: string,
): Promise<{ byEmail: boolean } | undefined> {
  return await trx
    .with('consumed', (cte) =>
      cte
        .deleteFrom('password_resets')
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', now)
        .returning(['user_id', 'by_email']),
    )
    .updateTable('users')
    .from('consumed')
    .set({ password_hash: passwordHash })
    .whereRef('users.id', '=', 'consumed.user_id')
    .where('disabled_at', 'is', null)
    .returning('consumed.by_email as byEmail')
    .executeTakeFirst();
}

export async function deleteReset(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute();
}
