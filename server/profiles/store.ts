import type { Db } from '../db/database.ts';

const columns = ['id', 'domain', 'description', 'created_at as createdAt'] as const;

/** The user's profiles, newest first. */
export function listProfiles(db: Db, userId: number) {
  return db.selectFrom('profiles').select(columns).where('user_id', '=', userId).orderBy('id', 'desc').execute();
}

export function findProfile(db: Db, userId: number, id: number) {
  return db
    .selectFrom('profiles')
    .select(columns)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Its owner stays until the transaction ends. @returns whether there is such a profile of the user */
export async function lockOwner(trx: Db, userId: number, id: number): Promise<boolean> {
  const row = await trx
    .selectFrom('profiles')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns undefined when the domain has a profile already, anybody's */
export function insertProfile(db: Db, userId: number, domain: string, description: string | null) {
  return db
    .insertInto('profiles')
    .values({ user_id: userId, domain, description })
    .onConflict((conflict) => conflict.column('domain').doNothing())
    .returning(columns)
    .executeTakeFirst();
}

/** The profile of a domain when it is the user's own. */
export function findProfileByDomain(db: Db, userId: number, domain: string) {
  return db
    .selectFrom('profiles')
    .select('id')
    .where('user_id', '=', userId)
    .where('domain', '=', domain)
    .executeTakeFirst();
}

/** @returns whether there was such a profile of the user */
export async function deleteProfile(db: Db, userId: number, id: number): Promise<boolean> {
  const result = await db.deleteFrom('profiles').where('user_id', '=', userId).where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function deleteProfilesOf(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('profiles').where('user_id', '=', userId).execute();
}
