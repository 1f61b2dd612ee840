import { setTimeout } from 'node:timers/promises';
import type { BlacklistSize } from '#shared/pages.ts';
import type { Context } from '../context.ts';
import { countStats } from './count-stats.ts';

/** Milliseconds for which an answer is repeated. */
const freshFor = 60_000;
/** Milliseconds that a page waits for its numbers. */
const patience = 1000;

/**
 * Gives the size of the blacklist to pages, which are read far more often than it changes: counted once a minute for all readers.
 * Where the database is slow or away the last known answer, or null, so that the page still comes.
 */
export function recallSize({ db, now, log }: Pick<Context, 'db' | 'now' | 'log'>): () => Promise<BlacklistSize | null> {
  let known: BlacklistSize | null = null;
  let countedAt = Number.NEGATIVE_INFINITY;
  let counting: Promise<void> | undefined;

  async function count(): Promise<void> {
    try {
      const { total, lastUpdated } = await countStats(db);
      known = { total, lastUpdated };
      // An empty list is about to be filled by somebody who looks whether it worked.
      if (total > 0) countedAt = now().getTime();
    } catch (error) {
      log.warn({ err: error }, 'a page goes without the size of the blacklist');
    } finally {
      counting = undefined;
    }
  }

  return async () => {
    if (now().getTime() - countedAt < freshFor) return known;
    counting ??= count();
    await Promise.race([counting, setTimeout(patience, undefined, { ref: false })]);
    return known;
  };
}
