import { type CsvRecord, cellText } from '../csv/csv-record.ts';
import { normalizeHost, registrableDomain } from '../hosts/hosts.ts';

const NUMBER_SIGN = 35;
const SLASH = 47;
const QUESTION_MARK = 63;

export const EMPTY = -1;
export const NOT_A_DOMAIN = -2;
const OWN_SITE = -3;

interface HostReader {
  /** The number of the host in the record's first wanted cell, or EMPTY, NOT_A_DOMAIN or OWN_SITE. */
  read(record: CsvRecord): number;
  /** Distinct hosts in the order of first sight; a host's number is its index. */
  readonly hosts: readonly string[];
  /** Ends the reader: its own map of hosts, with `rows` by host number in place of the numbers. */
  finish(rows: Uint32Array): Map<string, number>;
}

/** Characters that a plain host name is made of. Anything else takes the slower way through text. */
const isPlainByte = new Uint8Array(256);
for (const char of 'abcdefghijklmnopqrstuvwxyz0123456789-_.') {
  isPlainByte[char.charCodeAt(0)] = 1;
  isPlainByte[char.toUpperCase().charCodeAt(0)] = 1;
}

/** Reads hosts straight from the bytes of a cell; each spelling of a host is normalised once. */
export function createHostReader(isOwn: (host: string) => boolean): HostReader {
  const spellings = createHostTable();
  const numbers = new Map<string, number>();
  const hosts: string[] = [];

  function numberOf(host: string): number {
    const known = numbers.get(host);
    if (known !== undefined) return known;
    const number = isOwn(host) ? OWN_SITE : hosts.length;
    numbers.set(host, number);
    if (number >= 0) hosts.push(host);
    return number;
  }

  function read(record: CsvRecord): number {
    const bytes = record.buffer;
    const start = record.starts[0] as number;
    const end = record.ends[0] as number;
    const from = skipScheme(bytes, start, end);
    const plain = isPlainByte;
    let hash = hashSeed;
    let to = from;
    while (to < end) {
      const byte = bytes[to] as number;
      if (plain[byte] === 0) break;
      hash = hashByte(hash, byte);
      to += 1;
    }
    const follower = to < end ? bytes[to] : SLASH;
    const isPlain = follower === SLASH || follower === QUESTION_MARK || follower === NUMBER_SIGN;
    if (!isPlain || to === from || to - from > 253) return readDecoded(record);
    const known = spellings.find(bytes, from, to, hash);
    if (known >= 0) return known;
    const host = normalizeHost(bytes.toString('latin1', from, to));
    if (host === undefined) return NOT_A_DOMAIN;
    const number = numberOf(host);
    if (number >= 0) spellings.put(bytes, from, to, hash, number);
    return number;
  }

  function readDecoded(record: CsvRecord): number {
    const text = cellText(record, 0) ?? '';
    const host = normalizeHost(text);
    if (host !== undefined) return numberOf(host);
    return text.trim() === '' ? EMPTY : NOT_A_DOMAIN;
  }

  function finish(rows: Uint32Array): Map<string, number> {
    for (const [host, number] of numbers) {
      if (number < 0) numbers.delete(host);
      else numbers.set(host, rows[number] as number);
    }
    return numbers;
  }

  return { read, hosts, finish };
}

/** Tells whether a host belongs to the user's website: the same registrable domain. */
export function isOwnSite(ownHost: string): (host: string) => boolean {
  const own = normalizeHost(ownHost) ?? ownHost;
  const domain = registrableDomain(own);
  if (domain === undefined) return (host) => host === own;
  const below = `.${domain}`;
  return (host) => host === domain || (host.endsWith(below) && registrableDomain(host) === domain);
}

/** The place after a lower-case `http://` or `https://`, else the start. */
function skipScheme(bytes: Buffer, start: number, end: number): number {
  if (
    end - start < 8 ||
    bytes[start] !== 104 ||
    bytes[start + 1] !== 116 ||
    bytes[start + 2] !== 116 ||
    bytes[start + 3] !== 112
  ) {
    return start;
  }
  const colon = bytes[start + 4] === 115 ? start + 5 : start + 4;
  return bytes[colon] === 58 && bytes[colon + 1] === 47 && bytes[colon + 2] === 47 ? colon + 3 : start;
}

/**
 * Remembers which number belongs to which bytes: a hash table with open addressing over flat arrays, because making a
 * string of every cell costs more than all other work on a row. Laid out for few cache misses: a place is a hash and an
 * offset, and the number lies beside the bytes. Bytes that meet too many others on their way are not remembered, so
 * that names made to collide cost no more than a look at a few places each.
 */
interface HostTable {
  /** The number put in for `bytes[from..to)`, or -1. `hash` is the bytes' hash by `hashByte`. */
  find(bytes: Buffer, from: number, to: number, hash: number): number;
  /** Remembers a number ≥ 0 for bytes that `find` did not find. */
  put(bytes: Buffer, from: number, to: number, hash: number, value: number): void;
}

const maxProbes = 24;
/** Above this many places the table starts afresh instead of growing, which bounds its memory to about 30 MB. */
const maxSlots = 1 << 20;

/** Start of a hash, different in each process. */
export const hashSeed = (Math.random() * 2 ** 32) | 0;

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
    for (let step = 0; step < maxProbes; step += 1) {
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
    for (let step = 0; step < maxProbes; step += 1) {
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
    const startAfresh = places >= maxSlots;
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
