/**
 * Remembers which number belongs to which bytes: a hash table with open addressing over flat arrays, because making a
 * string of every cell costs more than all other work on a row. Laid out for few cache misses: a place is a hash and an
 * offset, and the number lies beside the bytes. Bytes that meet too many others on their way are not remembered, so
 * that names made to collide cost no more than a look at a few places each.
 */
export interface HostTable {
  /** The number put in for `bytes[from..to)`, or -1. `hash` is the bytes' hash by `hashByte`. */
  find(bytes: Buffer, from: number, to: number, hash: number): number;
  /** Remembers a number ≥ 0 for bytes that `find` did not find. */
  put(bytes: Buffer, from: number, to: number, hash: number, value: number): void;
}

const LONGEST_WALK = 24;
/** Above this many places the table starts afresh instead of growing, which bounds its memory to about 30 MB. */
const MOST_PLACES = 1 << 20;

/** Start of a hash, different in each process. */
export const HASH_SEED = (Math.random() * 2 ** 32) | 0;

/** FNV-1a, one step (http://www.isthe.com/chongo/tech/comp/fnv/). */
export function hashByte(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 16_777_619);
}

export function createHostTable(): HostTable {
  let places = 1 << 12;
  // Two words a place: hash, and index of the entry in `words` (0: free).
  let table = new Int32Array(places * 2);
  // An entry is its value, its length and its bytes, filled up to whole words.
  let words = new Int32Array(1 << 14);
  let stored = new Uint8Array(words.buffer);
  let used = 0;
  let wordsEnd = 1;

  function find(bytes: Buffer, from: number, to: number, hash: number): number {
    const cells = table;
    const entries = words;
    const names = stored;
    const mask = places - 1;
    const length = to - from;
    let place = (hash ^ (hash >>> 15)) & mask;
    for (let step = 0; step < LONGEST_WALK; step += 1) {
      const entry = cells[place * 2 + 1] as number;
      if (entry === 0) return -1;
      if (cells[place * 2] === hash && entries[entry + 1] === length) {
        let offset = (entry + 2) * 4;
        let i = from;
        while (i < to && names[offset] === bytes[i]) {
          i += 1;
          offset += 1;
        }
        if (i === to) return entries[entry] as number;
      }
      place = (place + 1) & mask;
    }
    return -1;
  }

  function put(bytes: Buffer, from: number, to: number, hash: number, value: number): void {
    if (used * 2 >= places) makeRoom();
    const length = to - from;
    const next = wordsEnd + 2 + ((length + 3) >>> 2);
    if (next > words.length) {
      const larger = new Int32Array(words.length * 2);
      larger.set(words);
      words = larger;
      stored = new Uint8Array(words.buffer);
    }
    if (!place(hash, wordsEnd)) return;
    words[wordsEnd] = value;
    words[wordsEnd + 1] = length;
    bytes.copy(stored, (wordsEnd + 2) * 4, from, to);
    wordsEnd = next;
    used += 1;
  }

  function place(hash: number, entry: number): boolean {
    const mask = places - 1;
    let free = (hash ^ (hash >>> 15)) & mask;
    for (let step = 0; step < LONGEST_WALK; step += 1) {
      if (table[free * 2 + 1] === 0) {
        table[free * 2] = hash;
        table[free * 2 + 1] = entry;
        return true;
      }
      free = (free + 1) & mask;
    }
    return false;
  }

  function makeRoom(): void {
    const old = table;
    const startAfresh = places >= MOST_PLACES;
    if (!startAfresh) places *= 2;
    table = new Int32Array(places * 2);
    used = 0;
    if (startAfresh) {
      wordsEnd = 1;
      return;
    }
    for (let at = 0; at < old.length; at += 2) {
      const entry = old[at + 1] as number;
      if (entry !== 0 && place(old[at] as number, entry)) used += 1;
    }
  }

  return { find, put };
}
