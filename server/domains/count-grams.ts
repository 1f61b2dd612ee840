/** Pieces of text up to this length are all counted. */
export const shortGram = 4;
/** Pieces longer than `shortGram` are counted up to this length, where many names contain them. */
export const longGram = 12;

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789-._';
const base = alphabet.length;
/** Where the numbers of the pieces of each length begin. */
const starts = [0, 0, base, base + base ** 2, base + base ** 2 + base ** 3];
const slots = base + base ** 2 + base ** 3 + base ** 4;
const codes = new Uint8Array(128);
for (let i = 0; i < base; i++) codes[alphabet.charCodeAt(i)] = i;

export interface GramCounter {
  /** Counts the pieces of a name, each once: `sign` is 1 for a name that came and -1 for one that went. */
  add(name: string, sign: number): void;
  /** Every piece whose count is not zero. */
  entries(): Generator<[gram: string, count: number]>;
  /** The count of a piece of `shortGram` characters that begins at `from`. */
  countAt(name: string, from: number): number;
}

/**
 * Counts in how many names each piece of text stands. Short pieces are counted in flat arrays (about 20 MB), of the longer ones
 * only `tracked`.
 */
export function createGramCounter(tracked: readonly string[] = []): GramCounter {
  const counts = new Int32Array(slots);
  const lastName = new Int32Array(slots);
  const touched: number[] = [];
  const long = new Map<string, { count: number; lastName: number }>();
  const byStart = new Map<number, string[]>();
  for (const gram of tracked) {
    long.set(gram, { count: 0, lastName: 0 });
    const start = indexOf(gram, 0, shortGram);
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
        const most = Math.min(shortGram, name.length - from);
        for (let length = 1; length <= most; length++) {
          index = index * base + (codes[name.charCodeAt(from + length - 1)] ?? 0);
          const slot = (starts[length] ?? 0) + index;
          const last = lastName[slot];
          if (last === current) continue;
          if (last === 0) touched.push(slot);
          lastName[slot] = current;
          counts[slot] = (counts[slot] ?? 0) + sign;
        }
        if (most < shortGram || byStart.size === 0) continue;
        const grams = byStart.get((starts[shortGram] ?? 0) + index);
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
    countAt: (name, from) => counts[indexOf(name, from, shortGram)] ?? 0,
  };
}

function indexOf(text: string, from: number, length: number): number {
  let index = 0;
  for (let i = from; i < from + length; i++) index = index * base + (codes[text.charCodeAt(i)] ?? 0);
  return (starts[length] ?? 0) + index;
}

function gramOf(slot: number): string {
  let length = shortGram;
  while (slot < (starts[length] ?? 0)) length -= 1;
  let gram = '';
  for (let rest = slot - (starts[length] ?? 0); length > 0; length--, rest = Math.floor(rest / base)) {
    gram = alphabet.charAt(rest % base) + gram;
  }
  return gram;
}
