import type { Db } from '../db/database.ts';
import { totalOf } from './count-domains.ts';
import { gathers } from './find-page.ts';
import type { Matches } from './matches.ts';
import { nullableKeys, type SortOrder } from './sort-orders.ts';
import type { Segment } from './store-conditions.ts';
import { gatherSorted, readSnapshot } from './store-pages.ts';
import { type DomainRow, listRows } from './store-rows.ts';
import { type Mark, walkOn } from './store-walk.ts';

const batchRows = 2000;
/** Up to here the ids of all matches are held; more are met on a walk through the whole order. */
const fewMatches = 20_000;

/**
 * All matches in their order, in batches. Each is a short question of its own that goes on after the last row of the one before: a
 * slow download holds no connection and no snapshot. Rows that change meanwhile come as they are when their turn comes.
 */
export async function* eachBatch(
  db: Db,
  matches: Matches,
  order: SortOrder,
  signal: AbortSignal,
): AsyncGenerator<DomainRow[]> {
  const gathered = await readSnapshot(db, async (trx) => {
    const known = await totalOf(trx, matches);
    if (!gathers(matches, order, known, fewMatches)) return undefined;
    return await gatherSorted(trx, {
      matches,
      rarest: known.rarest,
      byNames: known.byNames,
      order,
      offset: 0,
      limit: known.most,
    });
  });
  if (gathered) {
    for (let i = 0; i < gathered.length; i += batchRows) {
      signal.throwIfAborted();
      yield await listRows(db, gathered.slice(i, i + batchRows));
    }
    return;
  }
  const segments: Segment[] = nullableKeys.has(order.by) ? ['known', 'unknown'] : ['all'];
  for (const segment of segments) {
    let after: Mark | undefined;
    do {
      signal.throwIfAborted();
      const step = await readSnapshot(db, (trx) => walkOn(trx, matches, order, segment, after, batchRows));
      yield step.rows;
      after = step.last;
    } while (after);
  }
}
