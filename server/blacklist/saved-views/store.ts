import { sql } from 'kysely';
import type { ViewQuery } from '#shared/blacklist/saved-view-changes.ts';
import { countRows, type Db, type Trx } from '../../platform/db/database.ts';

const columns = ['id', 'name', 'query', 'is_default as isDefault'] as const;

/** Returns the user's views by name, ignoring case. */
export function listViews(db: Db, userId: number) {
  return db
    .selectFrom('saved_views')
    .select([...columns, 'created_at as createdAt', 'updated_at as updatedAt'])
    .where('user_id', '=', userId)
    .orderBy(sql`lower(name)`)
    .execute();
}

/** Makes concurrent changes of a user's views run one after the other. */
export async function lockViews(trx: Trx, userId: number): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
}

export const countViews = (trx: Trx, userId: number) =>
  countRows(trx.selectFrom('saved_views').where('user_id', '=', userId));

/** @throws the database's unique violation when the user has a view with this name */
export function insertView(db: Db, userId: number, name: string, query: ViewQuery) {
  return db
    .insertInto('saved_views')
    .values({ user_id: userId, name, query: JSON.stringify(query) })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export interface ViewChange {
  name?: string | undefined;
  query?: ViewQuery | undefined;
  isDefault?: boolean | undefined;
}

/** @throws the database's unique violation when the user has another view with the new name */
export function updateView(
  db: Db,
  { userId, id }: { userId: number; id: number },
  { name, query, isDefault }: ViewChange,
  now: Date,
) {
  return db
    .updateTable('saved_views')
    .set({
      updated_at: now,
      ...(name !== undefined && { name }),
      ...(query !== undefined && { query: JSON.stringify(query) }),
      ...(isDefault !== undefined && { is_default: isDefault }),
    })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
}

export async function clearDefault(db: Db, userId: number): Promise<void> {
  await db
    .updateTable('saved_views')
    .set({ is_default: false })
    .where('user_id', '=', userId)
    .where('is_default', '=', true)
    .execute();
}

/** @returns whether the user had such a view */
export async function deleteView(db: Db, userId: number, id: number): Promise<boolean> {
  const result = await db
    .deleteFrom('saved_views')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
