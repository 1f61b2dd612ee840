import { type RiskCounts, toRiskCounts, toRiskNumber } from '#shared/blacklist/domains.ts';
import type { Db, Trx } from '../../../platform/db/database.ts';
import { countStoredLevels } from '../counts/store-counts.ts';
import { countFilter, type StoredFilter } from './filter.ts';
import { mapStatementTimeout } from './search.ts';
import { countMatchesByLevel, countNamesAboveLow, readSnapshot } from './store-search.ts';

/** Up to this number of matches, the indexes of the filter find them. */
const maxFetched = 20_000;

/**
 * Returns the exact number of matches by risk level. A level in the filter is ignored, so that the counts tell what
 * choosing another level would find.
 * @param filter from `readFilter`; undefined matches nothing
 * @param max tests set it to choose how matches are counted
 * @throws 503 when counting takes too long
 */
export async function countByRiskLevel(
  db: Db,
  filter: StoredFilter | undefined,
  max = maxFetched,
): Promise<RiskCounts> {
  const counts = filter
    ? await mapStatementTimeout(readSnapshot(db, (trx) => countLevels(trx, { ...filter, riskLevel: undefined }, max)))
    : new Map<number, number>();
  return toRiskCounts((level) => counts.get(toRiskNumber(level)));
}

async function countLevels(trx: Trx, filter: StoredFilter, max: number): Promise<Map<number, number>> {
  const stored = filter.names ? undefined : await countStoredLevels(trx, filter);
  if (stored) return stored;
  const count = await countFilter(trx, filter);
  const isShort = count.isRare || count.max <= max;
  if (isShort || count.exact === undefined || filter.search === undefined) {
    return await countMatchesByLevel(trx, filter, count, isShort);
  }
  const above = await countNamesAboveLow(trx, filter.search);
  const sum = [...above.values()].reduce((total, here) => total + here, 0);
  return above.set(1, count.exact - sum);
}
