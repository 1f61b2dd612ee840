import { locks, tryLock } from '../../db/locks.ts';
import type { ThreadContext } from '../../jobs/run-in-thread.ts';
import { createGramCounter, maxShortGramLength } from './grams.ts';
import { addGramCounts, listLongGrams, takeGramChanges } from './store-counts.ts';

/** Changed names that one transaction of a thread counts. */
const maxBatchNames = 200_000;

/**
 * Counts the grams of up to `max` changed names in one transaction.
 * @returns the number of names, or undefined while another process has the lock
 */
export async function countChangedNames(
  { db }: Pick<ThreadContext<never>, 'db'>,
  max: number,
): Promise<number | undefined> {
  return await db.transaction().execute(async (trx) => {
    if (!(await tryLock(trx, locks.counts))) return undefined;
    const changes = await takeGramChanges(trx, max);
    if (changes.length === 0) return 0;
    const counter = createGramCounter(await listLongGrams(trx, maxShortGramLength));
    for (const { name, sign } of changes) counter.add(name, sign);
    await addGramCounts(trx, [...counter.entries()]);
    return changes.length;
  });
}

/**
 * Counts the grams of all changed names. Uses much CPU time, so a server runs it in a thread.
 * @returns whether it could; false while another process has the lock
 */
export async function countAllChangedNames(context: Pick<ThreadContext<never>, 'db'>): Promise<boolean> {
  for (;;) {
    const names = await countChangedNames(context, maxBatchNames);
    if (names === undefined || names < maxBatchNames) return names !== undefined;
  }
}
