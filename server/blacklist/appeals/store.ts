import { sql } from 'kysely';
import type { AppealInput } from '#shared/blacklist/appeals.ts';
import type { Db } from '../../platform/db/database.ts';

/** @returns the new id, or undefined if the user already has an open appeal for the domain */
export async function insertAppeal(
  db: Db,
  userId: number,
  { domain, token, message, statement, proof }: AppealInput & { domain: string; token: string },
  now: Date,
): Promise<number | undefined> {
  const row = await db
    .insertInto('appeals')
    .values({ user_id: userId, domain, token, message, statement: statement || null, proof, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export type AppealRow = NonNullable<Awaited<ReturnType<typeof findAppeal>>>;

export function findAppeal(db: Db, id: number) {
  return appeals(db).where('appeals.id', '=', id).executeTakeFirst();
}

/** Finds an appeal of the user for a domain. */
export function findAppealOfUser(db: Db, userId: number, domain: string, id: number) {
  return appeals(db)
    .where('appeals.user_id', '=', userId)
    .where('appeals.domain', '=', domain)
    .where('appeals.id', '=', id)
    .executeTakeFirst();
}

/** Returns the user's appeals for a domain, newest first. */
export function listAppealsForDomain(db: Db, userId: number, domain: string) {
  return appeals(db)
    .where('appeals.user_id', '=', userId)
    .where('appeals.domain', '=', domain)
    .orderBy('appeals.id', 'desc')
    .execute();
}

/** Returns the user's appeals with ids above `after`, oldest first. */
export function listOfUserAfterId(db: Db, userId: number, after: number, limit: number) {
  return appeals(db)
    .where('appeals.user_id', '=', userId)
    .where('appeals.id', '>', after)
    .orderBy('appeals.id')
    .limit(limit)
    .execute();
}

/** Marks an appeal as verified. @returns false if it already was, or was deleted */
export async function markVerified(trx: Db, id: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('appeals')
    .set({ state: 'verified', verified_at: now })
    .where('id', '=', id)
    .where('state', '=', 'unverified')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes an unverified appeal of the user. @returns whether there was one */
export async function deleteUnverified(db: Db, userId: number, domain: string, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('appeals')
    .where('user_id', '=', userId)
    .where('domain', '=', domain)
    .where('id', '=', id)
    .where('state', '=', 'unverified')
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes the appeals of the user that no admin has decided. */
export async function deleteUndecidedOfUser(trx: Db, userId: number): Promise<void> {
  await trx.deleteFrom('appeals').where('user_id', '=', userId).where('decided_at', 'is', null).execute();
}

/** Locks the appeal until the transaction ends, so that only one admin can decide it. @returns whether it exists */
export async function lockAppeal(trx: Db, id: number): Promise<boolean> {
  const row = await trx.selectFrom('appeals').select('id').where('id', '=', id).forUpdate().executeTakeFirst();
  return row !== undefined;
}

export interface Decision {
  state: 'delisted' | 'kept';
  reason: string;
  publish: boolean;
  decidedBy: number;
}

/** Stores a decision. A statement that is already published keeps its date. */
export async function updateDecision(
  trx: Db,
  id: number,
  { state, reason, publish, decidedBy }: Decision,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('appeals')
    .set({
      state,
      reason,
      decided_by: decidedBy,
      decided_at: now,
      published_at: publish ? sql<Date>`coalesce(published_at, ${now})` : null,
    })
    .where('id', '=', id)
    .execute();
}

function appeals(db: Db) {
  return db
    .selectFrom('appeals')
    .leftJoin('users as owner', 'owner.id', 'appeals.user_id')
    .leftJoin('users as admin', 'admin.id', 'appeals.decided_by')
    .select([
      'appeals.id',
      'appeals.domain',
      'message',
      'statement',
      'proof',
      'token',
      'state',
      'reason',
      'appeals.created_at as dateCreated',
      'verified_at as dateVerified',
      'decided_at as dateDecided',
      'published_at as datePublished',
      'owner.username',
      'admin.username as decidedBy',
    ])
    .select(sql<string | null>`case when owner.email_confirmed then owner.email end`.as('ownerEmail'));
}
