import { type GramCounter, longGram, shortGram } from './count-grams.ts';

/** 64 MB of counters: far more than there are different pieces that many names contain. */
const sketchSlots = 2 ** 24;

/** Pieces of up to this length are sketched first: where they are rare, longer ones need no looking at. */
const firstLength = 6;

/**
 * Finds the pieces of five to twelve characters that at least `least` names contain, in three passes over the names: the first two
 * count by hash, which never counts too little, the third counts exactly what they leave.
 * A piece can be frequent only where all shorter ones in it are: `short` holds the counts of the shortest and spares most of the rest.
 */
export async function findFrequentGrams(
  names: () => AsyncIterable<string[]>,
  short: GramCounter,
  least: number,
): Promise<Map<string, number>> {
  const sketch = new Uint32Array(sketchSlots);
  const add = (hash: number) => {
    sketch[hash] = (sketch[hash] ?? 0) + 1;
    return true;
  };
  const frequent = (hash: number) => (sketch[hash] ?? 0) >= least;

  await eachName(names, (name) =>
    eachPiece(name, short, least, (hash, from, to) => to - from <= firstLength && add(hash)),
  );
  await eachName(names, (name) =>
    eachPiece(name, short, least, (hash, from, to) => (to - from <= firstLength ? frequent(hash) : add(hash))),
  );
  const counts = new Map<string, { count: number; lastName: number }>();
  await eachName(names, (name, current) =>
    eachPiece(name, short, least, (hash, from, to) => {
      if (!frequent(hash)) return false;
      const gram = name.slice(from, to);
      const entry = counts.get(gram);
      if (!entry) counts.set(gram, { count: 1, lastName: current });
      else if (entry.lastName !== current) {
        entry.lastName = current;
        entry.count += 1;
      }
      return true;
    }),
  );
  return new Map([...counts].filter(([, { count }]) => count >= least).map(([gram, { count }]) => [gram, count]));
}

async function eachName(
  names: () => AsyncIterable<string[]>,
  see: (name: string, current: number) => void,
): Promise<void> {
  let current = 0;
  for await (const batch of names()) {
    for (const name of batch) {
      current += 1;
      see(name, current);
    }
  }
}

/** Every longer piece that holds only frequent short ones, from short to long at each end; `found` says whether to go on there. */
function eachPiece(
  name: string,
  short: GramCounter,
  least: number,
  found: (hash: number, from: number, to: number) => boolean,
): void {
  let runStart = 0;
  for (let last = 0; last + shortGram <= name.length; last++) {
    if (short.countAt(name, last) < least) {
      runStart = last + 1;
      continue;
    }
    const to = last + shortGram;
    let hash = 0;
    for (let from = to - 1; from >= runStart && to - from <= longGram; from--) {
      hash = Math.imul(hash, 0x01000193) ^ name.charCodeAt(from);
      if (to - from > shortGram && !found(mixed(hash), from, to)) break;
    }
  }
}

function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (once ^ (once >>> 13)) & (sketchSlots - 1);
}
