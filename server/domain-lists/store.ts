import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

export interface NewList {
  userId: number | null;
  entries: string;
  entryCount: number;
  duplicates: number;
  createdAt: Date;
}

/** Stores a list. @returns its id, which nobody can guess */
export async function insertList(db: Db, list: NewList): Promise<string> {
  const { id } = await db
    .insertInto('domain_lists')
    .values({
      user_id: list.userId,
      entries: list.entries,
      entry_count: list.entryCount,
      duplicates: list.duplicates,
      created_at: list.createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Oldest dates of lists that are not expired. */
export interface ListAges {
  visitor: Date;
  user: Date;
}

/** Finds a list that is not expired: a visitor's, or one of the user with this id. */
export function findList(db: Db, id: string, userId: number | null, oldest: ListAges) {
  return db
    .selectFrom('domain_lists')
    .select(['id', 'user_id as userId', 'entries', 'duplicates', 'created_at as createdAt'])
    .where('id', '=', id)
    .where((where) =>
      where.or([
        where.and([where('user_id', 'is', null), where('created_at', '>', oldest.visitor)]),
        where.and([where('user_id', '=', userId), where('created_at', '>', oldest.user)]),
      ]),
    )
    .executeTakeFirst();
}

export type ListRow = NonNullable<Awaited<ReturnType<typeof findList>>>;

/** Deletes the lists that are expired. */
export async function deleteExpiredLists(db: Db, oldest: ListAges): Promise<void> {
  await sql`
    delete from domain_lists
    where created_at <= case when user_id is null then ${oldest.visitor}::timestamptz else ${oldest.user}::timestamptz end
  `.execute(db);
}

/** Returns up to `limit` lists of a user after the id `after`, in the order of their ids, without their entries. */
export function listListsOfUser(db: Db, userId: number, after: string | undefined, limit: number) {
  return db
    .selectFrom('domain_lists')
    .select(['id', 'entry_count as entries', 'duplicates', 'created_at as createdAt'])
    .where('user_id', '=', userId)
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit)
    .execute();
}
