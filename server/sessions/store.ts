import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/**
 * Inserts a session. Locks the user first, in the same order as deleting an account, changing its password and
 * disabling it, to avoid deadlocks.
 * @returns the user's version of device cookies; undefined when there is no such user
 */
export async function insertSession(
  trx: Db,
  session: {
    idHash: Buffer;
    userId: number;
    expiresAt: Date;
    userAgent: string | null;
    address: string;
    provenAt: Date;
  },
): Promise<number | undefined> {
  const user = await trx
    .updateTable('users')
    .set({ last_seen_at: sql`now()` })
    .where('id', '=', session.userId)
    .returning('device_version as deviceVersion')
    .executeTakeFirst();
  if (!user) return undefined;
  await trx
    .insertInto('sessions')
    .values({
      id_hash: session.idHash,
      user_id: session.userId,
      expires_at: session.expiresAt,
      user_agent: session.userAgent,
      address: session.address,
      proven_at: session.provenAt,
    })
    .execute();
  return user.deviceVersion;
}

/** The user of a session that has not expired and was used after `idleSince`, unless the account is disabled. */
export function findSessionUser(db: Db, idHash: Buffer, now: Date, idleSince: Date) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.username', 'users.is_admin as isAdmin'])
    .select(['sessions.last_seen_at as lastSeenAt', 'sessions.proven_at as provenAt'])
    .where('sessions.id_hash', '=', idHash)
    .where('sessions.expires_at', '>', now)
    .where('sessions.last_seen_at', '>', idleSince)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst();
}

/**
 * Records a use of the session. The two updates have no common transaction, so that neither row stays locked while the
 * other is updated. Skips a user whose row is locked.
 */
export async function touchSession(db: Db, idHash: Buffer, userId: number, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ last_seen_at: now }).where('id_hash', '=', idHash).execute();
  await db
    .updateTable('users')
    .set({ last_seen_at: now })
    .where('id', 'in', (eb) =>
      eb.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().skipLocked(),
    )
    .execute();
}

export async function updateProof(db: Db, idHash: Buffer, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ proven_at: now }).where('id_hash', '=', idHash).execute();
}

export async function deleteSession(db: Db, idHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where('id_hash', '=', idHash).execute();
}

/** Deletes the sessions of a user above `max`: those that were not used for the longest time. */
export async function deleteOldestSessions(db: Db, userId: number, max: number): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('last_seen_at', 'desc')
        .orderBy('id', 'desc')
        .offset(max),
    )
    .execute();
}

export async function deleteOldSessions(db: Db, now: Date, idleSince: Date): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('expires_at', '<=', now), eb('last_seen_at', '<=', idleSince)]))
    .execute();
}

/**
 * Up to `limit` of the user's valid sessions, most recently used first. `isCurrent` marks the one with `currentHash`.
 */
export function listValidSessions(
  db: Db,
  userId: number,
  { now, idleSince, currentHash, limit }: { now: Date; idleSince: Date; currentHash: Buffer; limit: number },
) {
  return db
    .selectFrom('sessions')
    .select([
      'id',
      'user_agent as userAgent',
      'address',
      'created_at as createdAt',
      'last_seen_at as lastSeenAt',
      sql<boolean>`id_hash = ${currentHash}`.as('isCurrent'),
    ])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', idleSince)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Locks the user until the transaction ends, to lock users before sessions, as everywhere else. */
export async function lockUser(trx: Db, userId: number): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
}

/** @returns the hash of the deleted session's id, undefined when the user has no such session */
export async function deleteSessionOfUser(db: Db, userId: number, id: number): Promise<Buffer | undefined> {
  const row = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('id_hash as idHash')
    .executeTakeFirst();
  return row?.idHash;
}

/** Deletes the user's sessions except the one with `currentHash`. */
export async function deleteOtherSessions(db: Db, userId: number, currentHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('id_hash', '!=', currentHash).execute();
}

export async function deleteSessionsOfUser(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute();
}

/** All stored data of the user's sessions except their hashes, most recently used first. */
export function listSessionsOfUser(db: Db, userId: number) {
  return db
    .selectFrom('sessions')
    .select([
      'user_agent as device',
      'address',
      'created_at as createdAt',
      'last_seen_at as lastSeenAt',
      'expires_at as expiresAt',
    ])
    .where('user_id', '=', userId)
    .orderBy('last_seen_at', 'desc')
    .execute();
}

/** The addresses at which the user's most recent sessions were started. */
export async function listSessionAddresses(db: Db, userId: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('sessions')
    .select('address')
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.flatMap(({ address }) => (address === null ? [] : [address]));
}
