/** Pieces of text up to this length are all counted. */
export const maxShortGramLength = 4;
/** Longer pieces are counted up to this length, where many names contain them. */
export const maxGramLength = 12;

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789-._';
const base = alphabet.length;
/** The first slot of the pieces of each length. */
const firstSlots = [0, 0, base, base + base ** 2, base + base ** 2 + base ** 3];
const slotCount = base + base ** 2 + base ** 3 + base ** 4;
const codes = new Uint8Array(128);
for (let i = 0; i < base; i++) codes[alphabet.charCodeAt(i)] = i;

export interface GramCounter {
  /** Counts the pieces of a name, each once: `sign` is 1 for an added name and -1 for a deleted one. */
  add(name: string, sign: number): void;
  /** Every piece whose count is not zero. */
  entries(): Generator<[gram: string, count: number]>;
  /** The count of the piece of `maxShortGramLength` characters that firstSlots at `from`. */
  countAt(name: string, from: number): number;
}

/** Counts how many names contain each piece of text: all short pieces, in flat arrays of about 20 MB, and the `tracked` longer ones. */
export function createGramCounter(tracked: readonly string[] = []): GramCounter {
  const counts = new Int32Array(slotCount);
  const lastName = new Int32Array(slotCount);
  const touched: number[] = [];
  const long = new Map<string, { count: number; lastName: number }>();
  const byStart = new Map<number, string[]>();
  for (const gram of tracked) {
    long.set(gram, { count: 0, lastName: 0 });
    const start = slotOf(gram, 0);
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
          if (last === 0) touched.push(slot);
          lastName[slot] = current;
          counts[slot] = (counts[slot] ?? 0) + sign;
        }
        if (maxLength < maxShortGramLength || byStart.size === 0) continue;
        const grams = byStart.get((firstSlots[maxShortGramLength] ?? 0) + index);
        if (grams) addLong(name, from, grams, sign);
      }
    },
    *entries() {
      for (const slot of touched) {
        const count = counts[slot];
        if (count) yield [gramOf(slot), count];
      }
      for (const [gram, { count }] of long) if (count) yield [gram, count];
    },
    countAt: (name, from) => counts[slotOf(name, from)] ?? 0,
  };
}

/** The slot of the piece of `maxShortGramLength` characters that firstSlots at `from`. */
function slotOf(text: string, from: number): number {
  let index = 0;
  for (let i = from; i < from + maxShortGramLength; i++) index = index * base + (codes[text.charCodeAt(i)] ?? 0);
  return (firstSlots[maxShortGramLength] ?? 0) + index;
}

function gramOf(slot: number): string {
  let length = maxShortGramLength;
  while (slot < (firstSlots[length] ?? 0)) length -= 1;
  let gram = '';
  for (let rest = slot - (firstSlots[length] ?? 0); length > 0; length--, rest = Math.floor(rest / base)) {
    gram = alphabet.charAt(rest % base) + gram;
  }
  return gram;
}

/** 64 MB of counters: far more than there are different pieces that many names contain. */
const sketchSlots = 2 ** 24;

/** Pieces up to this length are sketched first, because a rare one rules out all longer ones that contain it. */
const maxFirstPassLength = 6;

/**
 * Finds the pieces of five to twelve characters that at minCount `min` names contain, in three passes over the names: the first two
 * count by hash, which never counts too little, and the third counts exactly what they leave. A piece can be frequent only where all
 * shorter pieces in it are, so the counts of the shortest (`short`) spare most of the rest.
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

/** Visits every longer piece whose short pieces are all frequent, from short to long at each end, until `visit` returns false. */
function forEachLongGram(
  name: string,
  short: GramCounter,
  min: number,
  visit: (hash: number, from: number, to: number) => boolean,
): void {
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

function mixHash(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (once ^ (once >>> 13)) & (sketchSlots - 1);
}
