import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

export interface NewList {
  userId: number | null;
  entries: string;
  entryCount: number;
  listedCount: number;
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
      listed_count: list.listedCount,
      duplicates: list.duplicates,
      created_at: list.createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Deletes the oldest lists of a user who has more than `max`. */
export async function deleteOldLists(db: Db, userId: number, max: number): Promise<void> {
  const old = ownLists(db, userId).select('id').orderBy('created_at', 'desc').orderBy('id').offset(max);
  await db.deleteFrom('domain_lists').where('id', 'in', old).execute();
}

/** @returns whether the user had such a list */
export async function deleteList(db: Db, userId: number, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('domain_lists')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

const ownLists = (db: Db, userId: number) => db.selectFrom('domain_lists').where('user_id', '=', userId);

/** Returns lists of a user that are not expired, newest first, without their entries. */
export function listNewestLists(db: Db, userId: number, oldest: Date, range: { offset: number; limit: number }) {
  return ownLists(db, userId)
    .select(['id', 'entry_count as entries', 'listed_count as listed', 'created_at as createdAt'])
    .where('created_at', '>', oldest)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .offset(range.offset)
    .limit(range.limit)
    .execute();
}

export async function countLists(db: Db, userId: number, oldest: Date): Promise<number> {
  const { count } = await ownLists(db, userId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('created_at', '>', oldest)
    .executeTakeFirstOrThrow();
  return count;
}

/** Oldest dates of lists that are not expired. */
export interface ListAges {
  visitor: Date;
  user: Date;
}

/**
 * Finds a list that is not expired: a visitor's, or one of the user with this id. Its entries are null if they are
 * longer than `maxBytes`.
 */
export function findList(
  db: Db,
  { id, userId }: { id: string; userId: number | null },
  oldest: ListAges,
  maxBytes?: number,
) {
  const entries =
    maxBytes === undefined
      ? sql<string | null>`entries`
      : sql<string | null>`case when octet_length(entries) <= ${maxBytes} then entries end`;
  return db
    .selectFrom('domain_lists')
    .select(['id', 'user_id as userId', entries.as('entries'), 'duplicates', 'created_at as createdAt'])
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

/** Returns up to `limit` lists of a user after the id `after`, in the order of their ids, without their entries. */
export function listListsOfUser(db: Db, userId: number, after: string | undefined, limit: number) {
  return db
    .selectFrom('domain_lists')
    .select(['id', 'entry_count as entries', 'listed_count as listed', 'duplicates', 'created_at as createdAt'])
    .where('user_id', '=', userId)
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit)
    .execute();
}
