import type pg from 'pg';
import type { ThreadContext } from '../../jobs/run-in-thread.ts';
import { createGramCounter, findFrequentGrams } from './grams.ts';
import { copyGrams, deleteGrams, inOneSnapshot, readNames, vacuumCounts } from './store-rebuild.ts';

/** Longer pieces are counted where at minCount one name in this many contains them, and at minCount `minNames` do. */
const share = 10_000;
const minNames = 1000;

/** The share of the work at which the passes over the names end. */
const passesShare = 0.9;
const passes = 4;

/** Progress is the share of the work that is done, 0 to 1. */
export type RebuildContext = Pick<ThreadContext<number>, 'pool' | 'onProgress'>;

/** Counts the pieces of all names again, and finds which longer ones are worth counting. A server runs it in a thread. */
export async function rebuildGrams({ pool, onProgress }: RebuildContext): Promise<void> {
  await inOneSnapshot(pool, (client) => rebuildGramsIn(client, onProgress));
  await vacuumCounts(pool);
}

/** Counts the pieces of all names within the caller's snapshot. */
export async function rebuildGramsIn(client: pg.PoolClient, onProgress: RebuildContext['onProgress']): Promise<void> {
  await deleteGrams(client);
  let pass = 0;
  const names = () => {
    const before = pass++;
    return readNames(client, (share) => onProgress(((before + share) / passes) * passesShare));
  };
  const counter = createGramCounter();
  let total = 0;
  for await (const batch of names()) {
    total += batch.length;
    for (const name of batch) counter.add(name, 1);
  }
  const minCount = Math.max(minNames, Math.floor(total / share));
  const long = total < minCount ? new Map<string, number>() : await findFrequentGrams(names, counter, minCount);
  await copyGrams(client, toCopyLines(total, counter.entries(), long));
}

/** The empty piece says of how many names the longer pieces were chosen. */
function* toCopyLines(
  total: number,
  short: Iterable<[string, number]>,
  long: Iterable<[string, number]>,
): Generator<string> {
  yield `\t${total}\n`;
  let chunk = '';
  for (const entries of [short, long]) {
    for (const [gram, count] of entries) {
      chunk += `${gram}\t${count}\n`;
      if (chunk.length < 65_536) continue;
      yield chunk;
      chunk = '';
    }
  }
  if (chunk) yield chunk;
}
