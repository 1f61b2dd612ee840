import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../../platform/db/database.ts';
import { locks, tryLock } from '../../../platform/db/locks.ts';
import type { ProcessContext } from '../../../platform/processes/run-in-process.ts';
import { createGramCounter, type GramCounter, maxShortGramLength } from './grams.ts';
import { addGramCounts, listLongGrams, setQueueing, takeGramChanges } from './store-counts.ts';

/** Changed names that one transaction of a process counts. */
const maxBatchNames = 200_000;

/**
 * Counts the grams of up to `max` changed names in one transaction.
 * @returns the number of names, or undefined while another process has the lock
 */
export async function countChangedNames(
  { db }: Pick<ProcessContext<never>, 'db'>,
  max: number,
): Promise<number | undefined> {
  return await db.transaction().execute(async (trx) => {
    if (!(await tryLock(trx, locks.counts))) return undefined;
    const changes = await takeGramChanges(trx, max);
    if (changes.length === 0) return 0;
    const counter = await startCounter(trx);
    for (const { name, sign } of changes) counter.add(name, sign);
    await storeCounts(trx, counter);
    return changes.length;
  });
}

/**
 * Counts the grams of all changed names. Uses much CPU time, so a server runs it in another process.
 * @returns whether it could; false while another process has the lock
 */
export async function countAllChangedNames(context: Pick<ProcessContext<never>, 'db'>): Promise<boolean> {
  for (;;) {
    const names = await countChangedNames(context, maxBatchNames);
    if (names === undefined || names < maxBatchNames) return names !== undefined;
  }
}

/** Counts the grams of names that one transaction inserts. */
export interface InsertedNames {
  add(names: readonly string[]): Promise<void>;
  /** Stores the counts. Names that the transaction inserts afterwards are queued again. */
  store(): Promise<void>;
}

/**
 * Counts the names that a transaction inserts from now on, all of which the caller must add, instead of queueing them.
 * Searches read through the whole queue, so many names would slow them down until they are counted. Uses much CPU time
 * and about 30 MB, so call it in a process of its own.
 * @returns undefined while another transaction has the lock: then the names are queued
 */
export async function countInsertedNames(trx: Db): Promise<InsertedNames | undefined> {
  if (!(await tryLock(trx, locks.counts))) return undefined;
  await setQueueing(trx, false);
  const counter = await startCounter(trx);
  return {
    async add(names) {
      // Lets a query of the caller be sent before counting blocks this thread.
      await setImmediate();
      for (const name of names) counter.add(name, 1);
    },
    async store() {
      await storeCounts(trx, counter);
      await setQueueing(trx, true);
    },
  };
}

const startCounter = async (trx: Db) => createGramCounter(await listLongGrams(trx, maxShortGramLength));

/** Grams that one statement stores. */
const maxBatchGrams = 50_000;

async function storeCounts(trx: Db, counter: GramCounter): Promise<void> {
  let batch: [string, number][] = [];
  for (const entry of counter.entries()) {
    batch.push(entry);
    if (batch.length < maxBatchGrams) continue;
    await addGramCounts(trx, batch);
    batch = [];
  }
  await addGramCounts(trx, batch);
}
