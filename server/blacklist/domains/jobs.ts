import type { Context } from '../../context.ts';
import { locks, tryLock } from '../../platform/db/locks.ts';
import { job } from '../../platform/jobs/job.ts';
import { runInProcess } from '../../platform/processes/run-in-process.ts';
import { type countAllChangedNames, countChangedNames } from './counts/changes.ts';
import type { rebuildGrams } from './counts/rebuild.ts';
import { countNames, mergeCountDeltas } from './counts/store-counts.ts';
import { vacuumCounts } from './counts/store-rebuild.ts';
import { compactCountsQueue } from './domains.ts';

/** Keeps counting fast: runs every minute, and after imports. */
export const compactCountsJob = job<object>({
  queue: compactCountsQueue,
  cron: '* * * * *',
  run: (context, _data, signal) => compactCounts(context, signal),
});

/**
 * Up to this many changed names are counted here, in a few milliseconds. A process of its own counts more, so that
 * requests do not wait.
 */
const maxNames = 2000;
/** From this number of replaced deltas on, the space that they leave is freed at once. */
const minDeltasForVacuum = 2000;
/**
 * From this number of names on, growth by half triggers a rebuild, because other long grams have become frequent enough
 * to be counted.
 */
const minNamesForRebuild = 100_000;
const rebuildGrowth = 1.5;

/**
 * Applies the queued changes of names to the gram counts, and replaces the deltas of each facet key by their sum.
 * Totals are exact before, during and after it. Safe to run at any time and twice: while one run has the lock, another
 * returns immediately.
 */
export async function compactCounts(
  context: Pick<Context, 'db' | 'pool' | 'databaseUrl'>,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const { db, pool } = context;
  const names = await countChangedNames({ db }, maxNames);
  if (names === undefined) return;
  const hasMore = names === maxNames;
  if (hasMore) {
    const count = { module: new URL('./counts/changes.ts', import.meta.url), name: 'countAllChangedNames' };
    if (!(await runInProcess<typeof countAllChangedNames>(context, count, undefined, { signal }))) return;
  }
  const deltas = await db
    .transaction()
    .execute(async (trx) => ((await tryLock(trx, locks.counts)) ? await mergeCountDeltas(trx) : 0));
  if (hasMore || deltas >= minDeltasForVacuum) await vacuumCounts(pool);
  signal.throwIfAborted();
  const { now, before } = await countNames(db);
  if (now < minNamesForRebuild || now <= before * rebuildGrowth) return;
  const rebuild = { module: new URL('./counts/rebuild.ts', import.meta.url), name: 'rebuildGrams' };
  await runInProcess<typeof rebuildGrams>(context, rebuild, undefined, { signal });
}
