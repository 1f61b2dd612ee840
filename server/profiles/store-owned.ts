import { type SqlBool, sql } from 'kysely';
import { type Db, likePattern } from '../db/database.ts';

/** Profiles of everybody with their owners. Only for admins: nothing here takes a person's id. */
function owned(db: Db) {
  return db.selectFrom('profiles').leftJoin('users', 'users.id', 'profiles.user_id');
}

function rowsOf(query: ReturnType<typeof owned>) {
  return query.select((eb) => [
    'profiles.id',
    'profiles.domain',
    'profiles.description',
    'profiles.created_at as createdAt',
    'users.id as userId',
    'users.email',
    'users.username',
    'users.display_name as displayName',
    eb
      .selectFrom('reports')
      .select(sql<number>`count(*)`.as('count'))
      .whereRef('reports.profile_id', '=', 'profiles.id')
      .as('reportCount'),
  ]);
}

export type OwnedRow = Awaited<ReturnType<typeof listOwned>>[number];

function searched(db: Db, search: string | undefined) {
  if (search === undefined) return owned(db);
  const pattern = likePattern(search.toLowerCase());
  return owned(db).where(
    sql<SqlBool>`(
      profiles.domain like ${pattern} or lower(users.username) like ${pattern}
      or lower(users.email) like ${pattern} or lower(users.display_name) like ${pattern}
    )`,
  );
}

/** Newest first; all without `range`. */
export function listOwned(db: Db, search: string | undefined, range?: { offset: number; limit: number }) {
  const query = rowsOf(searched(db, search)).orderBy('profiles.id', 'desc');
  return (range ? query.offset(range.offset).limit(range.limit) : query).execute();
}

export async function countOwned(db: Db, search: string | undefined): Promise<number> {
  const row = await searched(db, search).select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  return row.count;
}

export function listOrphaned(db: Db) {
  return rowsOf(owned(db).where('profiles.user_id', 'is', null))
    .orderBy('profiles.id', 'desc')
    .execute();
}

export async function countOrphaned(db: Db): Promise<number> {
  const row = await db
    .selectFrom('profiles')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', 'is', null)
    .executeTakeFirstOrThrow();
  return row.count;
}

export function findOwned(db: Db, id: number) {
  return rowsOf(owned(db).where('profiles.id', '=', id)).executeTakeFirst();
}

/** Nobody else gives it away or starts an analysis of it until the transaction ends. @returns whether there is such a profile */
export async function lockProfile(trx: Db, id: number): Promise<boolean> {
  const row = await trx.selectFrom('profiles').select('id').where('id', '=', id).forUpdate().executeTakeFirst();
  return row !== undefined;
}

export async function updateOwner(db: Db, id: number, userId: number): Promise<void> {
  await db.updateTable('profiles').set({ user_id: userId }).where('id', '=', id).execute();
}

/** @returns what went: its domain, the username of its owner, how many reports; undefined when there is no such profile */
export function deleteAny(db: Db, id: number) {
  return db
    .deleteFrom('profiles')
    .where('id', '=', id)
    .returning((eb) => [
      'domain',
      eb.selectFrom('users').select('username').whereRef('users.id', '=', 'profiles.user_id').as('owner'),
      eb
        .selectFrom('reports')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('reports.profile_id', '=', 'profiles.id')
        .as('reports'),
    ])
    .executeTakeFirst();
}
