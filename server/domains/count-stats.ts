import type { RiskCounts } from '#shared/domains.ts';
import type { Db } from '../db/database.ts';
import { findLastUpdate } from './store.ts';
import { listFacet } from './store-counts.ts';

/** Numbers of domains by level, and when something last changed. Cheap at any size. */
export async function countStats(db: Db): Promise<RiskCounts & { total: number; lastUpdated: string | null }> {
  const counts = await riskCounts(db);
  const total = counts.low + counts.medium + counts.high + counts.veryHigh;
  return { ...counts, total, lastUpdated: (await findLastUpdate(db))?.toISOString() ?? null };
}

export async function riskCounts(db: Db): Promise<RiskCounts> {
  const counts = new Map((await listFacet(db, 'risk')).map(({ key, count }) => [key, count]));
  const [low = 0, medium = 0, high = 0, veryHigh = 0] = ['1', '2', '3', '4'].map((level) => counts.get(level));
  return { low, medium, high, veryHigh };
}
