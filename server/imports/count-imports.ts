import type { Db } from '../db/database.ts';
import { listCounts } from './store.ts';

/** How those imports ended that have, and how many rows they wrote and refused, by id. */
export async function countImports(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, { status: string; imported: number; updated: number; failed: number }>> {
  if (ids.length === 0) return new Map();
  const rows = await listCounts(db, ids);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}
