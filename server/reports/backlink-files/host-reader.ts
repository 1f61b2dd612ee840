import { normalizeName } from '../../hostnames/hosts/hosts.ts';
import { findLinkHost, findUrl, isWrapperHost, readLinkHost } from '../../hostnames/links/links.ts';
import { type CsvRecord, cellText } from '../../platform/csv/csv-record.ts';
import type { OwnSite } from './own-site.ts';

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
   * explains. Of a text that starts with a page of the website itself, the cell is limited to the first other URL.
   * @param hasTexts whether the address may come after other text
   */
  read(record: CsvRecord, hasTexts: boolean): number;
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
export function createHostReader({ isOwn }: Pick<OwnSite, 'isOwn'>): HostReader {
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

  function read(record: CsvRecord, hasTexts: boolean): number {
    const bytes = record.buffer;
    const start = record.starts[0] as number;
    const end = record.ends[0] as number;
    const from = skipScheme(bytes, start, end);
    const plain = isPlainByte;
    let low = lowSeed;
    let high = highSeed;
    let to = from;
    while (to < end) {
      const byte = bytes[to] as number;
      if (plain[byte] === 0) break;
      low = hashLow(low, byte);
      high = hashHigh(high, byte);
      to += 1;
    }
    const follower = to < end ? bytes[to] : SLASH;
    const isPlain = follower === SLASH || follower === QUESTION_MARK || follower === NUMBER_SIGN;
    if (!isPlain || to === from || to - from > 253) return readDecoded(record, hasTexts);
    const known = spellings.find(low, high, to - from);
    if (known >= 0) return known;
    const host = normalizeName(bytes.toString('latin1', from, to));
    // A host that shows pages of other websites is judged by the rest of the cell.
    if (host === undefined || isWrapperHost(host)) return readDecoded(record, hasTexts);
    const number = getNumber(host);
    if (number >= 0) spellings.put(low, high, to - from, number);
    return number === OWN_SITE && hasTexts ? readDecoded(record, hasTexts) : number;
  }

  function readDecoded(record: CsvRecord, hasTexts: boolean): number {
    const text = cellText(record, 0) ?? '';
    const host = hasTexts ? findLinkHost(text) : readLinkHost(text);
    if (typeof host !== 'string') return toNumber(host.problem);
    const url = hasTexts && isOwn(host) ? findUrl(text, isOwn) : undefined;
    return url !== undefined && limitCell(record, url) ? readDecoded(record, false) : getNumber(host);
  }

  return { read, hosts };
}

/** Limits the first cell to a part of its text. @returns false if it is written in another way there */
function limitCell({ buffer, starts, ends }: CsvRecord, text: string): boolean {
  const part = Buffer.from(text);
  const start = buffer.subarray(0, ends[0]).indexOf(part, starts[0]);
  if (start < 0) return false;
  starts[0] = start;
  ends[0] = start + part.length;
  return true;
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
 * Maps spellings of hosts to numbers: a hash table with open addressing in a flat array, because creating a string for
 * every cell would cost more than all other work on a row. Spellings are equal if their lengths and both halves of
 * their 64-bit hashes are. Comparing the characters too would cost a second cache miss per row, to exclude a mistake
 * that is less likely than one in a million in a file with a million hosts. An entry that finds no free slot within
 * `maxProbes` is not stored, so names made to collide cost only a few probes each.
 */
interface HostTable {
  /** Returns the number stored for a spelling with this hash and length, or -1. */
  find(low: number, high: number, length: number): number;
  /** Stores a number ≥ 0 for a spelling that `find` did not find. */
  put(low: number, high: number, length: number, value: number): void;
}

const maxProbes = 24;
/** At this many slots a full table is cleared instead of enlarged, which limits its memory to 16 MB. */
const maxSlots = 1 << 20;

/** Initial values of both halves of a hash, random in each process so that colliding names cannot be prepared. */
export const lowSeed = (Math.random() * 2 ** 32) | 0;
export const highSeed = (Math.random() * 2 ** 32) | 0;

/** One step of FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/). */
export function hashLow(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 16_777_619);
}

/** The same step with another factor. */
export function hashHigh(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 2_246_822_519);
}

export function createHostTable(): HostTable {
  let slots = 1 << 12;
  // Four words per slot: both halves of the hash, the length, and the value + 1 (0 for a free slot).
  let table = new Int32Array(slots * 4);
  let used = 0;

  function find(low: number, high: number, length: number): number {
    const words = table;
    const mask = slots - 1;
    let slot = (low ^ (low >>> 15)) & mask;
    for (let step = 0; step < maxProbes; step += 1) {
      const at = slot * 4;
      const entry = words[at + 3] as number;
      if (entry === 0) return -1;
      if (words[at] === low && words[at + 1] === high && words[at + 2] === length) return entry - 1;
      slot = (slot + 1) & mask;
    }
    return -1;
  }

  function put(low: number, high: number, length: number, value: number): void {
    if (used * 2 >= slots) makeRoom();
    fillSlot(low, high, length, value + 1);
  }

  /** Does nothing if there is no free slot within `maxProbes`. */
  function fillSlot(low: number, high: number, length: number, entry: number): void {
    const mask = slots - 1;
    let slot = (low ^ (low >>> 15)) & mask;
    for (let step = 0; step < maxProbes; step += 1) {
      const at = slot * 4;
      if (table[at + 3] === 0) {
        table[at] = low;
        table[at + 1] = high;
        table[at + 2] = length;
        table[at + 3] = entry;
        used += 1;
        return;
      }
      slot = (slot + 1) & mask;
    }
  }

  function makeRoom(): void {
    const old = table;
    const isFull = slots >= maxSlots;
    if (!isFull) slots *= 2;
    table = new Int32Array(slots * 4);
    used = 0;
    if (isFull) return;
    for (let at = 0; at < old.length; at += 4) {
      const entry = old[at + 3] as number;
      if (entry !== 0) fillSlot(old[at] as number, old[at + 1] as number, old[at + 2] as number, entry);
    }
  }

  return { find, put };
}
