import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

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
    provenAt: Date | null;
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
  return validSessions(db, now, idleSince).where('sessions.id_hash', '=', idHash).executeTakeFirst();
}

/** The user of a session whose id has just been replaced. */
export function findReplacedSessionUser(db: Db, idHash: Buffer, now: Date, idleSince: Date) {
  return validSessions(db, now, idleSince)
    .where('sessions.previous_id_hash', '=', idHash)
    .where('sessions.previous_until', '>', now)
    .executeTakeFirst();
}

const validSessions = (db: Db, now: Date, idleSince: Date) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.username', 'users.is_admin as isAdmin', 'users.second_factor_at as secondFactorAt'])
    .select(['sessions.last_seen_at as lastSeenAt', 'sessions.proven_at as provenAt'])
    .where('sessions.expires_at', '>', now)
    .where('sessions.last_seen_at', '>', idleSince)
    .where('users.disabled_at', 'is', null);

/** Whether a session has an id, or had it before the last proof. */
const hasId = (idHash: Buffer) => sql<boolean>`(id_hash = ${idHash} or previous_id_hash = ${idHash})`;

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

/**
 * Records a proof of identity and replaces the id of the session. The earlier one is valid until `previousUntil`.
 * @returns when the session expires; undefined if the id is not its current one, which then stays
 */
export async function replaceId(
  db: Db,
  { idHash, newHash, now, previousUntil }: { idHash: Buffer; newHash: Buffer; now: Date; previousUntil: Date },
): Promise<Date | undefined> {
  const row = await db
    .updateTable('sessions')
    .set({ id_hash: newHash, proven_at: now, previous_id_hash: idHash, previous_until: previousUntil })
    .where('id_hash', '=', idHash)
    .returning('expires_at as expiresAt')
    .executeTakeFirst();
  return row?.expiresAt;
}

/** Records a proof of identity in a session whose id was replaced a moment ago. */
export async function updateReplacedProof(db: Db, idHash: Buffer, now: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ proven_at: now })
    .where('previous_id_hash', '=', idHash)
    .where('previous_until', '>', now)
    .execute();
}

/** The user's sessions except the one with an id have no proof of identity any more. */
export async function clearOtherProofs(db: Db, userId: number, idHash: Buffer): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ proven_at: null })
    .where('user_id', '=', userId)
    .where(sql<boolean>`${hasId(idHash)} is not true`)
    .execute();
}

export async function deleteSession(db: Db, idHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where(hasId(idHash)).execute();
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
      sql<boolean>`${hasId(currentHash)} is true`.as('isCurrent'),
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

/** @returns whether the session has the id `currentHash`; undefined when the user has no such session */
export async function isCurrentSession(
  db: Db,
  userId: number,
  id: number,
  currentHash: Buffer,
): Promise<boolean | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select(sql<boolean>`${hasId(currentHash)} is true`.as('isCurrent'))
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.isCurrent;
}

export async function deleteSessionOfUser(db: Db, userId: number, id: number): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '=', id).execute();
}

/** Deletes the user's sessions except the one with `currentHash`. */
export async function deleteOtherSessions(db: Db, userId: number, currentHash: Buffer): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where(sql<boolean>`${hasId(currentHash)} is not true`)
    .execute();
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
