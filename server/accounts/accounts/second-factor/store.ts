import type { Db } from '../../../platform/db/database.ts';

/** Stores the encrypted secret of an account, instead of an earlier one. */
export async function upsertSecret(db: Db, userId: number, secret: Buffer): Promise<void> {
  await db
    .insertInto('second_factors')
    .values({ user_id: userId, secret })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ secret, last_step: 0 }))
    .execute();
}

/** The encrypted secret of an account; undefined if there is none. */
export async function findSecret(db: Db, userId: number): Promise<Buffer | undefined> {
  const row = await db.selectFrom('second_factors').select('secret').where('user_id', '=', userId).executeTakeFirst();
  return row?.secret;
}

/** More than the steps that apps and servers may differ in. */
const maxLaterSteps = 10;

/**
 * Records the step of an accepted code. A much later step comes from a clock that was ahead, and would block all codes
 * until then. @returns false if a code of this step or a later one was accepted before
 */
export async function consumeStep(trx: Db, userId: number, step: number): Promise<boolean> {
  const result = await trx
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where(({ or, eb }) => or([eb('last_step', '<', step), eb('last_step', '>', step + maxLaterSteps)]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The salts of the account's recovery codes: usually one, null for codes from before version 68 of the schema. */
export async function listSalts(trx: Db, userId: number): Promise<(Buffer | null)[]> {
  const rows = await trx.selectFrom('recovery_codes').select('salt').distinct().where('user_id', '=', userId).execute();
  return rows.map(({ salt }) => salt);
}

/** Deletes the recovery code with one of the hashes. @returns false if the account has no such code */
export async function consumeRecoveryCode(trx: Db, userId: number, hashes: readonly Buffer[]): Promise<boolean> {
  if (hashes.length === 0) return false;
  const result = await trx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', 'in', hashes)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function replaceRecoveryCodes(
  trx: Db,
  userId: number,
  { salt, hashes }: { salt: Buffer; hashes: Buffer[] },
): Promise<void> {
  await trx
    .with('replaced', (cte) => cte.deleteFrom('recovery_codes').where('user_id', '=', userId))
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash, salt })))
    .execute();
}

export async function updateSecondFactorAt(trx: Db, userId: number, at: Date): Promise<void> {
  await trx.updateTable('users').set({ second_factor_at: at }).where('id', '=', userId).execute();
}

/** Deletes the second factor of an account with its recovery codes. */
export async function deleteSecondFactor(trx: Db, userId: number): Promise<void> {
  await trx.updateTable('users').set({ second_factor_at: null }).where('id', '=', userId).execute();
  await trx.deleteFrom('second_factors').where('user_id', '=', userId).execute();
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}
