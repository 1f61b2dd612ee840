import { type Insertable, sql } from 'kysely';
import type { AdapterPayload } from 'oidc-provider';
import type { Db } from '../../../platform/db/database.ts';
import type { Tables } from '../../../platform/db/tables.ts';

/** Undefined if the program has not registered itself, or not for a long time. */
export async function findClient(db: Db, id: string): Promise<AdapterPayload | undefined> {
  const row = await db.selectFrom('oauth_clients').select('metadata').where('id', '=', id).executeTakeFirst();
  return row?.metadata;
}

export async function upsertClient(db: Db, id: string, metadata: AdapterPayload): Promise<void> {
  const text = JSON.stringify(metadata);
  await db
    .insertInto('oauth_clients')
    .values({ id, metadata: text })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ metadata: text }))
    .execute();
}

export async function deleteClient(db: Db, id: string): Promise<void> {
  await db.deleteFrom('oauth_clients').where('id', '=', id).execute();
}

/** Undefined for a value that was never issued, was revoked, or expired long ago. */
export function findRecord(db: Db, hash: Buffer) {
  return db
    .selectFrom('oauth_records')
    .select(['payload', 'consumed_at as consumedAt'])
    .where('hash', '=', hash)
    .executeTakeFirst();
}

export async function upsertRecord(db: Db, record: Insertable<Tables['oauth_records']>): Promise<void> {
  const { payload, expires_at } = record;
  await db
    .insertInto('oauth_records')
    .values(record)
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ payload, expires_at }))
    .execute();
}

/** @returns false if it was used before, also by a request at the same time */
export async function consumeRecord(db: Db, hash: Buffer, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oauth_records')
    .set({ consumed_at: now })
    .where('hash', '=', hash)
    .where('consumed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteRecord(db: Db, hash: Buffer): Promise<void> {
  await db.deleteFrom('oauth_records').where('hash', '=', hash).execute();
}

/** Ends the connection with all its codes and tokens. */
export async function deleteConnection(db: Db, keyId: number): Promise<void> {
  await db.deleteFrom('api_keys').where('id', '=', keyId).where('oauth_client_id', 'is not', null).execute();
}

/** Ends the connection that a code or a token belongs to. */
export async function deleteConnectionOfRecord(db: Db, hash: Buffer): Promise<void> {
  const keyId = db.selectFrom('oauth_records').select('key_id').where('hash', '=', hash);
  await db.deleteFrom('api_keys').where('id', 'in', keyId).execute();
}

/** Records that the assistant has fetched tokens. */
export async function extendConnection(db: Db, keyId: number, { now, expiresAt }: { now: Date; expiresAt: Date }) {
  await sql`
    with connection as (
      update api_keys set expires_at = ${expiresAt} where id = ${keyId} returning oauth_client_id
    )
    update oauth_clients set used_at = ${now} from connection where id = oauth_client_id
  `.execute(db);
}

/** The user's connections, other than that of one client. */
export async function countOtherConnections(db: Db, userId: number, clientId: string): Promise<number> {
  const { count } = await db
    .selectFrom('api_keys')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', '=', userId)
    .where('oauth_client_id', '<>', clientId)
    .executeTakeFirstOrThrow();
  return count;
}

type NewConnection = Pick<
  Insertable<Tables['api_keys']>,
  'user_id' | 'name' | 'created_at' | 'expires_at' | 'oauth_client_id' | 'scopes'
>;

/** Stores a connection in place of the one that the user has with the same client. @returns its id */
export async function replaceConnection(trx: Db, connection: NewConnection & { oauth_client_id: string }) {
  await trx
    .deleteFrom('api_keys')
    .where('user_id', '=', connection.user_id)
    .where('oauth_client_id', '=', connection.oauth_client_id)
    .execute();
  const { id } = await trx.insertInto('api_keys').values(connection).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Whether the account exists and is not disabled. */
export async function isActiveUser(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}
