import { type GramCounter, longGram, shortGram } from './count-grams.ts';

/** 64 MB of counters: far more than there are different pieces that many names contain. */
const sketchSlots = 2 ** 24;

/**
 * Finds the pieces of five to twelve characters that at least `least` names contain, in two passes over the names: the first
 * counts by hash, which never counts too little, the second counts exactly what the first leaves.
 * A piece can be frequent only where all of its short pieces are: `short` holds their counts and spares the rest.
 */
export async function findFrequentGrams(
  names: () => AsyncIterable<string[]>,
  short: GramCounter,
  least: number,
): Promise<Map<string, number>> {
  const sketch = new Uint32Array(sketchSlots);
  for await (const batch of names()) {
    for (const name of batch) {
      eachCandidate(name, short, least, (hash) => {
        sketch[hash] = (sketch[hash] ?? 0) + 1;
      });
    }
  }
  const counts = new Map<string, { count: number; lastName: number }>();
  let current = 0;
  for await (const batch of names()) {
    for (const name of batch) {
      current += 1;
      eachCandidate(name, short, least, (hash, from, to) => {
        if ((sketch[hash] ?? 0) < least) return;
        const gram = name.slice(from, to);
        const entry = counts.get(gram);
        if (!entry) counts.set(gram, { count: 1, lastName: current });
        else if (entry.lastName !== current) {
          entry.lastName = current;
          entry.count += 1;
        }
      });
    }
  }
  return new Map([...counts].filter(([, { count }]) => count >= least).map(([gram, { count }]) => [gram, count]));
}

function eachCandidate(
  name: string,
  short: GramCounter,
  least: number,
  found: (hash: number, from: number, to: number) => void,
): void {
  let runStart = 0;
  for (let last = 0; last + shortGram <= name.length; last++) {
    if (short.countAt(name, last) < least) {
      runStart = last + 1;
      continue;
    }
    // Every piece that ends with this short piece and stays within the run of frequent ones.
    const to = last + shortGram;
    let hash = 0;
    for (let from = to - 1; from >= runStart && to - from <= longGram; from--) {
      hash = (Math.imul(hash, 0x01000193) ^ name.charCodeAt(from)) * 1;
      if (to - from > shortGram) found(mixed(hash), from, to);
    }
  }
}

function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (once ^ (once >>> 13)) & (sketchSlots - 1);
}
