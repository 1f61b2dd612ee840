/**
 * Remembers which number belongs to which bytes: a hash table with open addressing over one flat array, because making
 * a string of every cell costs more than all other work on a row. Bytes that meet too many others on their way are not
 * remembered, so that names made to collide cost no more than a look at 16 places each.
 */
export interface HostTable {
  /** The number put in for `bytes[from..to)`, or -1. `hash` is the bytes' hash by `hashByte`. */
  find(bytes: Buffer, from: number, to: number, hash: number): number;
  /** Remembers a number ≥ 0 for bytes that `find` did not find. */
  put(bytes: Buffer, from: number, to: number, hash: number, value: number): void;
}

const FIELDS = 4;
const LONGEST_WALK = 16;
/** Above this many places the table starts afresh instead of growing: 16 MB of places at most. */
const MOST_PLACES = 1 << 20;

/** Start of a hash, different in each process. */
export const HASH_SEED = (Math.random() * 2 ** 32) | 0;

/** FNV-1a, one step (http://www.isthe.com/chongo/tech/comp/fnv/). */
export function hashByte(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 16_777_619);
}

export function createHostTable(): HostTable {
  let places = 1 << 12;
  // Each place holds hash, offset into `names`, length (0: free) and value.
  let table = new Int32Array(places * FIELDS);
  let names = Buffer.allocUnsafeSlow(1 << 16);
  let used = 0;
  let namesEnd = 0;

  function find(bytes: Buffer, from: number, to: number, hash: number): number {
    const cells = table;
    const stored = names;
    const mask = places - 1;
    const length = to - from;
    let place = (hash ^ (hash >>> 15)) & mask;
    for (let step = 0; step < LONGEST_WALK; step += 1) {
      const at = place * FIELDS;
      const storedLength = cells[at + 2] as number;
      if (storedLength === 0) return -1;
      if (storedLength === length && cells[at] === hash) {
        let offset = cells[at + 1] as number;
        let i = from;
        while (i < to && stored[offset] === bytes[i]) {
          i += 1;
          offset += 1;
        }
        if (i === to) return cells[at + 3] as number;
      }
      place = (place + 1) & mask;
    }
    return -1;
  }

  function put(bytes: Buffer, from: number, to: number, hash: number, value: number): void {
    if (used * 2 >= places) resize();
    const length = to - from;
    if (namesEnd + length > names.length) {
      const larger = Buffer.allocUnsafeSlow(names.length * 2 + length);
      names.copy(larger, 0, 0, namesEnd);
      names = larger;
    }
    if (!place(hash, namesEnd, length, value)) return;
    bytes.copy(names, namesEnd, from, to);
    namesEnd += length;
    used += 1;
  }

  function place(hash: number, offset: number, length: number, value: number): boolean {
    const mask = places - 1;
    let free = (hash ^ (hash >>> 15)) & mask;
    for (let step = 0; step < LONGEST_WALK; step += 1) {
      const at = free * FIELDS;
      if (table[at + 2] === 0) {
        table[at] = hash;
        table[at + 1] = offset;
        table[at + 2] = length;
        table[at + 3] = value;
        return true;
      }
      free = (free + 1) & mask;
    }
    return false;
  }

  function resize(): void {
    const old = table;
    const isFull = places >= MOST_PLACES;
    if (!isFull) places *= 2;
    table = new Int32Array(places * FIELDS);
    used = 0;
    if (isFull) {
      namesEnd = 0;
      return;
    }
    for (let at = 0; at < old.length; at += FIELDS) {
      const length = old[at + 2] as number;
      if (length > 0 && place(old[at] as number, old[at + 1] as number, length, old[at + 3] as number)) used += 1;
    }
  }

  return { find, put };
}
