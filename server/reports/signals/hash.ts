/** Random in each process, so that colliding texts cannot be prepared. */
const lowSeed = (Math.random() * 2 ** 32) | 0;
const highSeed = (Math.random() * 2 ** 32) | 0;

/** The result of every hasher, which is reused. */
const hash = { low: 0, high: 0 };

/** The last buffer and its bytes as words. A chunk of a file has many rows. */
let source: Buffer = Buffer.alloc(0);
let words = new DataView(source.buffer);

/**
 * Returns a function that hashes bytes to 64 bits and copies them to the word `copyAt` of `copy`, on a little-endian
 * machine in their order. It copies four at a time, because one by one would take longer than all other work on a cell.
 * The hash ignores the case of ASCII letters. The next call changes the object that it returns.
 */
export function createHasher(copy: Int32Array) {
  return (buffer: Buffer, from: number, to: number, copyAt: number): { low: number; high: number } => {
    if (source !== buffer) {
      source = buffer;
      words = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
    }
    let low = lowSeed;
    let high = highSeed ^ (to - from);
    let at = from;
    let copyWord = copyAt;
    for (; at + 4 <= to; at += 4) {
      const bytes = words.getInt32(at, true);
      copy[copyWord] = bytes;
      copyWord += 1;
      const word = lowerCase(bytes);
      low = Math.imul(low ^ word, 0x85ebca6b);
      high = Math.imul(high ^ word, 0xc2b2ae35);
      low ^= low >>> 15;
      high ^= high >>> 13;
    }
    if (at < to) {
      let rest = 0;
      for (let i = to - 1; i >= at; i -= 1) rest = (rest << 8) | (buffer[i] as number);
      copy[copyWord] = rest;
      const word = lowerCase(rest);
      low = Math.imul(low ^ word, 0x85ebca6b);
      high = Math.imul(high ^ word, 0xc2b2ae35);
    }
    hash.low = low ^ (low >>> 15);
    hash.high = high ^ (high >>> 13);
    return hash;
  };
}

/** Sets the bit of small letters in each byte below 128. It also makes a few signs equal, such as `[` and `{`. */
const lowerCase = (word: number): number => word | ((~word >>> 2) & 0x20202020);
