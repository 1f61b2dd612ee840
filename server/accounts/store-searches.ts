import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

const columns = [
  'is_admin as isAdmin',
  'search_limit as searchLimit',
  'searches_used as searchesUsed',
  'last_search as text',
  'last_search_at as at',
] as const;

export type SearchState = NonNullable<Awaited<ReturnType<typeof findSearches>>>;

/** How much a person has searched, and for what last. */
export function findSearches(db: Db, id: number) {
  return db.selectFrom('users').select(columns).where('id', '=', id).executeTakeFirst();
}

/** The same, and nobody else counts a search of the person until the transaction ends. */
export function lockSearches(trx: Db, id: number) {
  return trx.selectFrom('users').select(columns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** @param more 1 for another search, 0 for one that is typed on */
export async function saveSearch(trx: Db, id: number, text: string, now: Date, more: 0 | 1): Promise<void> {
  await trx
    .updateTable('users')
    .set({
      last_search: text,
      last_search_at: now,
      search_count: sql`search_count + ${more}`,
      searches_used: sql`searches_used + ${more}`,
    })
    .where('id', '=', id)
    .execute();
}

export async function resetSearches(db: Db, id: number): Promise<void> {
  await db.updateTable('users').set({ searches_used: 0 }).where('id', '=', id).execute();
}
