import type pg from 'pg';
import type { ProcessContext } from '../../../platform/processes/run-in-process.ts';
import { createGramCounter, findFrequentGrams } from './grams.ts';
import { copyGrams, deleteGrams, inOneSnapshot, readNames, vacuumCounts } from './store-rebuild.ts';

/** A long gram is counted if at least one name in this many contains it, and at least `minNames` names do. */
const maxNamesPerMatch = 10_000;
const minNames = 1000;

/** The passes over the names take about this share of the work; storing the counts takes the rest. */
const passesShare = 0.9;
const passes = 4;

/** Progress is the completed share of the work, 0 to 1. */
export type RebuildContext = Pick<ProcessContext<number>, 'pool' | 'onProgress'>;

/**
 * Rebuilds the gram counts and chooses the long grams to count. Uses much CPU time, so a server runs it in another
 * process.
 */
export async function rebuildGrams({ pool, onProgress }: RebuildContext): Promise<void> {
  await inOneSnapshot(pool, (client) => rebuildGramsIn(client, onProgress));
  await vacuumCounts(pool);
}

/** Rebuilds the gram counts within the caller's snapshot. */
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
  const minCount = Math.max(minNames, Math.floor(total / maxNamesPerMatch));
  const long = total < minCount ? new Map<string, number>() : await findFrequentGrams(names, counter, minCount);
  await copyGrams(client, toCopyLines(total, counter.entries(), long));
}

/** The count of the empty gram is the number of names from which the long grams were chosen. */
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
