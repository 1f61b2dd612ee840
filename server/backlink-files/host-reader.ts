import { type CsvRecord, cellText } from '../csv/csv-record.ts';
import { normalizeHost, registrableDomain } from '../hosts/hosts.ts';
import { isWrapperHost, readLinkHost } from '../links/links.ts';

const NUMBER_SIGN = 35;
const SLASH = 47;
const QUESTION_MARK = 63;

/** Why a row has no usable host. The number of a reason is -1 - its position. */
const skipReasons = ['empty', 'IP address', 'unknown top-level domain', 'not an address', 'own site'] as const;
const toNumber = (reason: (typeof skipReasons)[number]): number => -1 - skipReasons.indexOf(reason);
const OWN_SITE = toNumber('own site');

/** Returns the reason for a negative number that a host reader returned. */
export function toSkipReason(number: number): (typeof skipReasons)[number] {
  return skipReasons[-1 - number] ?? 'not an address';
}

interface HostReader {
  /**
   * Returns the number of the host in the record's first requested cell, or a negative number that `toSkipReason`
   * explains.
   */
  read(record: CsvRecord): number;
  /** Distinct hosts in the order of first occurrence; a host's number is its index. */
  readonly hosts: readonly string[];
}

/**
 * 1 for the characters of a plain ASCII host name. A cell with other characters before the path is decoded to text,
 * which is slower.
 */
const isPlainByte = new Uint8Array(256);
for (const char of 'abcdefghijklmnopqrstuvwxyz0123456789-_.') {
  isPlainByte[char.charCodeAt(0)] = 1;
  isPlainByte[char.toUpperCase().charCodeAt(0)] = 1;
}

/**
 * Creates a reader that extracts hosts directly from the bytes of a cell and normalizes each spelling of a host only
 * once.
 */
export function createHostReader(isOwn: (host: string) => boolean): HostReader {
  const spellings = createHostTable();
  const numbers = new Map<string, number>();
  const hosts: string[] = [];

  function getNumber(host: string): number {
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
    // A host that shows pages of other websites is judged by the rest of the cell.
    if (host === undefined || isWrapperHost(host)) return readDecoded(record);
    const number = getNumber(host);
    if (number >= 0) spellings.put(bytes, from, to, hash, number);
    return number;
  }

  function readDecoded(record: CsvRecord): number {
    const host = readLinkHost(cellText(record, 0) ?? '');
    return typeof host === 'string' ? getNumber(host) : toNumber(host.problem);
  }

  return { read, hosts };
}

/**
 * Returns a predicate: whether a host belongs to the user's website, which means that it has the same registrable
 * domain.
 */
export function createOwnSiteMatcher(ownHost: string): (host: string) => boolean {
  const own = normalizeHost(ownHost) ?? ownHost;
  const domain = registrableDomain(own);
  if (domain === undefined) return (host) => host === own;
  const suffix = `.${domain}`;
  return (host) => host === domain || (host.endsWith(suffix) && registrableDomain(host) === domain);
}

/** Returns the position after a lower-case `http://` or `https://`, or `start` without one. */
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
 * Maps bytes to numbers: a hash table with open addressing in flat arrays, because creating a string for every cell
 * would cost more than all other work on a row. The layout causes few cache misses: a slot has a hash and an offset,
 * and the number is stored next to the bytes. An entry that finds no free slot within `maxProbes` is not stored, so
 * names made to collide cost only a few probes each.
 */
interface HostTable {
  /** Returns the number stored for `bytes[from..to)`, or -1. `hash` is the hash of these bytes by `hashByte`. */
  find(bytes: Buffer, from: number, to: number, hash: number): number;
  /** Stores a number ≥ 0 for bytes that `find` did not find. */
  put(bytes: Buffer, from: number, to: number, hash: number, value: number): void;
}

const maxProbes = 24;
/** At this many slots a full table is cleared instead of enlarged, which limits its memory to about 30 MB. */
const maxSlots = 1 << 20;

/** Initial hash value, random in each process so that colliding names cannot be prepared. */
export const hashSeed = (Math.random() * 2 ** 32) | 0;

/** One step of FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/). */
export function hashByte(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 16_777_619);
}

export function createHostTable(): HostTable {
  let slots = 1 << 12;
  // Two words per slot: the hash, and the index of the entry in `words` (0 for a free slot).
  let table = new Int32Array(slots * 2);
  // An entry has its value, its length and its bytes, padded to whole words.
  let words = new Int32Array(1 << 14);
  let stored = new Uint8Array(words.buffer);
  let used = 0;
  let wordsEnd = 1;

  function find(bytes: Buffer, from: number, to: number, hash: number): number {
    const cells = table;
    const entries = words;
    const names = stored;
    const mask = slots - 1;
    const length = to - from;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let step = 0; step < maxProbes; step += 1) {
      const entry = cells[slot * 2 + 1] as number;
      if (entry === 0) return -1;
      if (cells[slot * 2] === hash && entries[entry + 1] === length) {
        let offset = (entry + 2) * 4;
        let i = from;
        while (i < to && names[offset] === bytes[i]) {
          i += 1;
          offset += 1;
        }
        if (i === to) return entries[entry] as number;
      }
      slot = (slot + 1) & mask;
    }
    return -1;
  }

  function put(bytes: Buffer, from: number, to: number, hash: number, value: number): void {
    if (used * 2 >= slots) makeRoom();
    const length = to - from;
    const next = wordsEnd + 2 + ((length + 3) >>> 2);
    if (next > words.length) {
      const larger = new Int32Array(words.length * 2);
      larger.set(words);
      words = larger;
      stored = new Uint8Array(words.buffer);
    }
    if (!fillSlot(hash, wordsEnd)) return;
    words[wordsEnd] = value;
    words[wordsEnd + 1] = length;
    bytes.copy(stored, (wordsEnd + 2) * 4, from, to);
    wordsEnd = next;
    used += 1;
  }

  /** Returns false if there is no free slot within `maxProbes`. */
  function fillSlot(hash: number, entry: number): boolean {
    const mask = slots - 1;
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
    const isFull = slots >= maxSlots;
    if (!isFull) slots *= 2;
    table = new Int32Array(slots * 2);
    used = 0;
    if (isFull) {
      wordsEnd = 1;
      return;
    }
    for (let at = 0; at < old.length; at += 2) {
      const entry = old[at + 1] as number;
      if (entry !== 0 && fillSlot(old[at] as number, entry)) used += 1;
    }
  }

  return { find, put };
}
