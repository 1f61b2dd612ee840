import { sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import type { Retention } from '../../../platform/jobs/retention.ts';
import { accounts } from '../store.ts';
import type { OidcRequestsTable } from '../tables.ts';

export async function insertRequest(db: Db, request: OidcRequestsTable): Promise<void> {
  await db.insertInto('oidc_requests').values(request).execute();
}

/** Deletes and returns a request that has not expired, so that its state works once. */
export function takeRequest(
  db: Db,
  { stateHash, browserHash, provider, now }: { stateHash: Buffer; browserHash: Buffer; provider: string; now: Date },
) {
  return db
    .deleteFrom('oidc_requests')
    .where('state_hash', '=', stateHash)
    .where('browser_hash', '=', browserHash)
    .where('provider', '=', provider)
    .where('expires_at', '>', now)
    .returning(['nonce', 'code_verifier as codeVerifier', 'user_id as userId'])
    .executeTakeFirst();
}

export const oidcRetention: Retention = { table: 'oidc_requests', expired: (now) => sql`expires_at <= ${now}` };

/** The account that an identity signs in to. */
export function findAccountByIdentity(db: Db, issuer: string, subject: string) {
  return accounts(db)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('oidc_identities')
          .select('oidc_identities.id')
          .whereRef('oidc_identities.user_id', '=', 'users.id')
          .where('issuer', '=', issuer)
          .where('subject', '=', subject),
      ),
    )
    .executeTakeFirst();
}

/** Does nothing if the identity is linked to an account. @returns whether it was added */
export async function insertIdentity(
  db: Db,
  identity: { userId: number; issuer: string; subject: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('oidc_identities')
    .values({ user_id: identity.userId, issuer: identity.issuer, subject: identity.subject })
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

/** Oldest first. */
export function listIdentities(db: Db, userId: number) {
  return db
    .selectFrom('oidc_identities')
    .select(['id', 'issuer', 'subject', 'created_at as createdAt'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}

export async function deleteIdentity(trx: Db, userId: number, id: number): Promise<void> {
  await trx.deleteFrom('oidc_identities').where('user_id', '=', userId).where('id', '=', id).execute();
}

/** Unlinks the identities of an account that has a password. Does nothing without one: nobody could sign in. */
export async function deleteIdentities(trx: Db, userId: number): Promise<void> {
  await trx
    .deleteFrom('oidc_identities')
    .where('user_id', '=', userId)
    .where('user_id', 'in', (eb) => eb.selectFrom('users').select('id').where('password_hash', 'is not', null))
    .execute();
}
