import type { Context } from '../context.ts';
import { locks, tryLock } from '../db/locks.ts';
import { job } from '../jobs/job.ts';
import { runInThread } from '../jobs/run-in-thread.ts';
import { createGramCounter, maxShortGramLength } from './counts/grams.ts';
import type { rebuildGrams } from './counts/rebuild.ts';
import {
  addGramCounts,
  countNames,
  listLongGrams,
  mergeCountDeltas,
  takeGramChanges,
  vacuumAndFlush,
} from './counts/store-counts.ts';
import { compactCountsQueue } from './domains.ts';

/** Keeps counting fast: runs every minute, and after imports. */
export const compactCountsJob = job<object>({
  queue: compactCountsQueue,
  cron: '* * * * *',
  run: (context, _data, signal) => compactCounts(context, signal),
});

/** Changed names that one transaction counts. */
const maxBatchNames = 200_000;
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
  { db, pool, databaseUrl }: Pick<Context, 'db' | 'pool' | 'databaseUrl'>,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  let appliedNames = 0;
  for (;;) {
    signal.throwIfAborted();
    const names = await applyGramChanges(db);
    if (names === undefined) return;
    appliedNames += names;
    if (names < maxBatchNames) break;
  }
  await db.transaction().execute(async (trx) => {
    if (await tryLock(trx, locks.counts)) await mergeCountDeltas(trx);
  });
  if (appliedNames > maxBatchNames / 100) await vacuumAndFlush(db);
  signal.throwIfAborted();
  const { now, before } = await countNames(db);
  if (now < minNamesForRebuild || now <= before * rebuildGrowth) return;
  const rebuild = { module: new URL('./counts/rebuild.ts', import.meta.url), name: 'rebuildGrams' };
  await runInThread<typeof rebuildGrams>({ pool, databaseUrl }, rebuild, undefined, { signal });
}

/**
 * Counts the grams of one batch of changed names. @returns the number of names, or undefined while another process has
 * the lock
 */
async function applyGramChanges(db: Context['db']): Promise<number | undefined> {
  return await db.transaction().execute(async (trx) => {
    if (!(await tryLock(trx, locks.counts))) return undefined;
    const changes = await takeGramChanges(trx, maxBatchNames);
    if (changes.length === 0) return 0;
    const counter = createGramCounter(await listLongGrams(trx, maxShortGramLength));
    for (const { name, sign } of changes) counter.add(name, sign);
    await addGramCounts(trx, [...counter.entries()]);
    return changes.length;
  });
}
