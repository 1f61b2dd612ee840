import type { Context } from '../context.ts';
import { createGramCounter, shortGram } from './count-grams.ts';
import { rebuildInThread } from './rebuild-in-thread.ts';
import {
  addGramCounts,
  cleanPending,
  compactCounts,
  countNames,
  listLongGrams,
  takeGramChanges,
  tryCountsLock,
} from './store-tidy.ts';

/** Names counted in one transaction. */
const batchNames = 200_000;
/** From this size on, half as many names again make other long pieces worth counting. */
const rebuildFrom = 100_000;
const growth = 1.5;

/**
 * Folds what has gathered: names into the counts of their pieces, deltas into sums. Totals are exact before, during and after it;
 * it keeps them cheap. Safe to run twice and at any moment: one runs, others leave at once.
 */
export async function tidyCounts(
  { db, pool, databaseUrl }: Pick<Context, 'db' | 'pool' | 'databaseUrl'>,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  let folded = 0;
  for (;;) {
    signal.throwIfAborted();
    const names = await foldBatch(db);
    if (names === undefined) return;
    folded += names;
    if (names < batchNames) break;
  }
  await db.transaction().execute(async (trx) => {
    if (await tryCountsLock(trx)) await compactCounts(trx);
  });
  if (folded > batchNames / 100) await cleanPending(db);
  signal.throwIfAborted();
  const { now, before } = await countNames(db);
  if (now >= rebuildFrom && now > before * growth) await rebuildInThread({ pool, databaseUrl }, 'grams', signal);
}

/** @returns how many names were counted, undefined while another process is at it */
async function foldBatch(db: Context['db']): Promise<number | undefined> {
  return await db.transaction().execute(async (trx) => {
    if (!(await tryCountsLock(trx))) return undefined;
    const changes = await takeGramChanges(trx, batchNames);
    if (changes.length === 0) return 0;
    const counter = createGramCounter(await listLongGrams(trx, shortGram));
    for (const { name, sign } of changes) counter.add(name, sign);
    await addGramCounts(trx, [...counter.entries()]);
    return changes.length;
  });
}
