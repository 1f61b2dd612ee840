import type { Db } from '../../platform/db/database.ts';

/** Returns the statement of an owner that was published last about one of the names; null if there is none. */
export async function findOwnerStatement(db: Db, names: readonly string[]): Promise<string | null> {
  const row = await db
    .selectFrom('appeals')
    .select('statement')
    .where('domain', 'in', names)
    .where('published_at', 'is not', null)
    .orderBy('published_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.statement ?? null;
}
