// A gram is a piece of text that occurs in a name. The counts of grams tell how many names a search matches without
// reading them.

/** Grams up to this length are all counted. */
export const maxShortGramLength = 4;
/** Longer grams are counted up to this length, and only if many names contain them. */
export const maxGramLength = 12;

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789-._';
const base = alphabet.length;
/** The first slot of the grams of each length, which is the index. */
const firstSlots = [0, 0, base, base + base ** 2, base + base ** 2 + base ** 3];
const slotCount = base + base ** 2 + base ** 3 + base ** 4;
const codes = new Uint8Array(128);
for (let i = 0; i < base; i++) codes[alphabet.charCodeAt(i)] = i;

export interface GramCounter {
  /** Counts each gram of a name once: `sign` is 1 for an added name and -1 for a deleted one. */
  add(name: string, sign: number): void;
  /** Returns every gram whose count is not zero. */
  entries(): Generator<[gram: string, count: number]>;
  /** Returns the count of the gram of `maxShortGramLength` characters that starts at `from`. */
  countAt(name: string, from: number): number;
}

/**
 * Counts how many names contain each gram: all short grams, in flat arrays of about 20 MB, and the longer grams in
 * `tracked`. The arrays have a slot for every possible short gram, so counting one needs no hashing and no strings.
 */
export function createGramCounter(tracked: readonly string[] = []): GramCounter {
  const counts = new Int32Array(slotCount);
  const lastName = new Int32Array(slotCount);
  const usedSlots: number[] = [];
  const long = new Map<string, { count: number; lastName: number }>();
  const byStart = new Map<number, string[]>();
  for (const gram of tracked) {
    long.set(gram, { count: 0, lastName: 0 });
    const start = toSlot(gram, 0);
    const siblings = byStart.get(start);
    if (siblings) siblings.push(gram);
    else byStart.set(start, [gram]);
  }
  let current = 0;

  const addLong = (name: string, from: number, grams: readonly string[], sign: number) => {
    for (const gram of grams) {
      if (!name.startsWith(gram, from)) continue;
      const entry = long.get(gram);
      if (!entry || entry.lastName === current) continue;
      entry.lastName = current;
      entry.count += sign;
    }
  };

  return {
    add(name, sign) {
      current += 1;
      for (let from = 0; from < name.length; from++) {
        let index = 0;
        const maxLength = Math.min(maxShortGramLength, name.length - from);
        for (let length = 1; length <= maxLength; length++) {
          index = index * base + (codes[name.charCodeAt(from + length - 1)] ?? 0);
          const slot = (firstSlots[length] ?? 0) + index;
          const last = lastName[slot];
          if (last === current) continue;
          if (last === 0) usedSlots.push(slot);
          lastName[slot] = current;
          counts[slot] = (counts[slot] ?? 0) + sign;
        }
        if (maxLength < maxShortGramLength || byStart.size === 0) continue;
        const grams = byStart.get((firstSlots[maxShortGramLength] ?? 0) + index);
        if (grams) addLong(name, from, grams, sign);
      }
    },
    *entries() {
      for (const slot of usedSlots) {
        const count = counts[slot];
        if (count) yield [toGram(slot), count];
      }
      for (const [gram, { count }] of long) if (count) yield [gram, count];
    },
    countAt: (name, from) => counts[toSlot(name, from)] ?? 0,
  };
}

/** Returns the slot of the gram of `maxShortGramLength` characters that starts at `from`. */
function toSlot(text: string, from: number): number {
  let index = 0;
  for (let i = from; i < from + maxShortGramLength; i++) index = index * base + (codes[text.charCodeAt(i)] ?? 0);
  return (firstSlots[maxShortGramLength] ?? 0) + index;
}

function toGram(slot: number): string {
  let length = maxShortGramLength;
  while (slot < (firstSlots[length] ?? 0)) length -= 1;
  let gram = '';
  for (let rest = slot - (firstSlots[length] ?? 0); length > 0; length--, rest = Math.floor(rest / base)) {
    gram = alphabet.charAt(rest % base) + gram;
  }
  return gram;
}

/**
 * 64 MB of counters: far more than there are distinct frequent grams, so few of them share a counter with another gram.
 */
const sketchSlots = 2 ** 24;

/** Grams up to this length are counted first, because a rare one rules out every longer gram that contains it. */
const maxFirstPassLength = 6;

/**
 * Finds the grams of five to twelve characters that at least `min` names contain, and counts them.
 *
 * There are too many distinct grams to count each in a map, so this takes three passes over the names. The first two
 * count by hash in an array (a count-min sketch with one row): grams with the same hash share a counter, so a count may
 * be too high but never too low. The third pass counts exactly, but only the grams that the sketch calls frequent. A
 * gram can be frequent only if all grams inside it are, so the exact counts in `short` and the early stop at the first
 * rare gram rule out most candidates.
 */
export async function findFrequentGrams(
  names: () => AsyncIterable<string[]>,
  short: GramCounter,
  min: number,
): Promise<Map<string, number>> {
  const sketch = new Uint32Array(sketchSlots);
  const add = (hash: number) => {
    sketch[hash] = (sketch[hash] ?? 0) + 1;
    return true;
  };
  const isFrequent = (hash: number) => (sketch[hash] ?? 0) >= min;

  await forEachName(names, (name) =>
    forEachLongGram(name, short, min, (hash, from, to) => to - from <= maxFirstPassLength && add(hash)),
  );
  await forEachName(names, (name) =>
    forEachLongGram(name, short, min, (hash, from, to) =>
      to - from <= maxFirstPassLength ? isFrequent(hash) : add(hash),
    ),
  );
  const counts = new Map<string, { count: number; lastName: number }>();
  await forEachName(names, (name, current) =>
    forEachLongGram(name, short, min, (hash, from, to) => {
      if (!isFrequent(hash)) return false;
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
  return new Map([...counts].filter(([, { count }]) => count >= min).map(([gram, { count }]) => [gram, count]));
}

async function forEachName(
  names: () => AsyncIterable<string[]>,
  visit: (name: string, current: number) => void,
): Promise<void> {
  let current = 0;
  for await (const batch of names()) {
    for (const name of batch) {
      current += 1;
      visit(name, current);
    }
  }
}

/**
 * Visits the long grams of a name whose short grams are all frequent. For each end position it goes from short to long
 * grams and stops when `visit` returns false. The hash is FNV-1 style, extended by one character at the front for each
 * longer gram.
 */
function forEachLongGram(
  name: string,
  short: GramCounter,
  min: number,
  visit: (hash: number, from: number, to: number) => boolean,
): void {
  // The start of the current run of frequent short grams.
  let runStart = 0;
  for (let last = 0; last + maxShortGramLength <= name.length; last++) {
    if (short.countAt(name, last) < min) {
      runStart = last + 1;
      continue;
    }
    const to = last + maxShortGramLength;
    let hash = 0;
    for (let from = to - 1; from >= runStart && to - from <= maxGramLength; from--) {
      hash = Math.imul(hash, 0x01000193) ^ name.charCodeAt(from);
      if (to - from > maxShortGramLength && !visit(mixHash(hash), from, to)) break;
    }
  }
}

/** Spreads all 32 bits of a hash over the slots of the sketch (finalizer of MurmurHash3, shortened). */
function mixHash(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (once ^ (once >>> 13)) & (sketchSlots - 1);
}
