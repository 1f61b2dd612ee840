import { type CsvRecord, cellText } from '../csv/csv-record.ts';
import { normaliseHost, registrableDomain } from '../hosts/hosts.ts';
import { createHostTable, HASH_SEED, hashByte } from './host-table.ts';

const NUMBER_SIGN = 35;
const SLASH = 47;
const QUESTION_MARK = 63;

export const EMPTY = -1;
export const NOT_A_DOMAIN = -2;
export const OWN_SITE = -3;

export interface HostReader {
  /** The number of the host in the record's first wanted cell, or EMPTY, NOT_A_DOMAIN or OWN_SITE. */
  read(record: CsvRecord): number;
  /** Distinct hosts in the order of first sight; a host's number is its index. */
  readonly hosts: readonly string[];
  /** Ends the reader: its own map of hosts, with `rows` by host number in place of the numbers. */
  finish(rows: Uint32Array): Map<string, number>;
}

/** Characters that a plain host name is made of. Anything else takes the slower way through text. */
const PLAIN = new Uint8Array(256);
for (const char of 'abcdefghijklmnopqrstuvwxyz0123456789-_.') {
  PLAIN[char.charCodeAt(0)] = 1;
  PLAIN[char.toUpperCase().charCodeAt(0)] = 1;
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
    const from = afterScheme(bytes, start, end);
    const plain = PLAIN;
    let hash = HASH_SEED;
    let to = from;
    while (to < end) {
      const byte = bytes[to] as number;
      if (plain[byte] === 0) break;
      hash = hashByte(hash, byte);
      to += 1;
    }
    const follower = to < end ? bytes[to] : SLASH;
    const isPlain = follower === SLASH || follower === QUESTION_MARK || follower === NUMBER_SIGN;
    if (!isPlain || to === from || to - from > 253) return readText(record);
    const known = spellings.find(bytes, from, to, hash);
    if (known >= 0) return known;
    const host = normaliseHost(bytes.toString('latin1', from, to));
    if (host === undefined) return NOT_A_DOMAIN;
    const number = numberOf(host);
    if (number >= 0) spellings.put(bytes, from, to, hash, number);
    return number;
  }

  function readText(record: CsvRecord): number {
    const text = cellText(record, 0) ?? '';
    const host = normaliseHost(text);
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
  const own = normaliseHost(ownHost) ?? ownHost;
  const domain = registrableDomain(own);
  if (domain === undefined) return (host) => host === own;
  const below = `.${domain}`;
  return (host) => host === domain || (host.endsWith(below) && registrableDomain(host) === domain);
}

/** The place after a lower-case `http://` or `https://`, else the start. */
function afterScheme(bytes: Buffer, start: number, end: number): number {
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
