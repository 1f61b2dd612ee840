import type { CsvRecord } from '../../platform/csv/csv-record.ts';
import { createHasher } from './hash.ts';
import { readText } from './texts.ts';

/** Referring domains of the hosts of an upload. */
export interface HostDomains {
  /** The number of the domain by the number of the host. */
  byHost: ArrayLike<number>;
  /** Names by the number of the domain. */
  names: readonly string[];
}

/** A value that several domains share. */
export interface SharedValue {
  text: string;
  /** Numbers of the hosts with this value. A host can occur several times. */
  hosts: Int32Array;
  domains: number;
}

export interface SharedValuesOptions {
  /** How many domains make a value shared. At least 2. */
  minDomains: number;
  /** Shorter values are ignored. In bytes of UTF-8 without spaces around. */
  minBytes: number;
  /** Returns the text to show for a value. Undefined for a value that is too common to be a pattern. */
  toText(value: string): string | undefined;
  limits?: Limits;
}

interface Limits {
  /** Slots of the table of values: a power of two. One slot takes 12 bytes. */
  slots: number;
  /** Values that several hosts share. */
  groups: number;
  /** Pairs of such a value and a host. One pair takes 8 bytes. */
  pairs: number;
}

const defaultLimits: Limits = { slots: 1 << 20, groups: 1 << 16, pairs: 1 << 21 };

/** Rows that are added together. */
export const batchSize = 512;
const wordsPerEntry = 4;

/** The size of a group whose value says nothing, so that its hosts are not logged. */
const IGNORED = -1;

/** Of longer values, only the start is compared. */
const maxComparedBytes = 200;

export type SharedValues = ReturnType<typeof createSharedValues>;

/**
 * Finds the values of a column that several hosts share, in one pass and limited memory. Values are compared by hashes
 * of their bytes, because creating a string for every cell would cost more than all other work on a row. Most values
 * occur on one host only: they take one slot of a hash table. From the second host on, a value is a group, whose hosts
 * are logged.
 *
 * Results are exact up to the limits. A full table forgets the values of a single host, and a full log takes no more
 * pairs, so that beyond the limits some values are missed and some have more domains than counted.
 */
export function createSharedValues({ minDomains, minBytes, toText, limits = defaultLimits }: SharedValuesOptions) {
  let slots = Math.min(1 << 14, limits.slots);
  // Three words per slot: both halves of the hash, and the only host + 1 or the negative group. 0 for a free slot.
  let table = new Int32Array(slots * 3);
  let used = 0;
  let groups = 0;
  /** The last host of each group, its logged hosts, and the text of those that can have enough domains. */
  let lastHosts = new Int32Array(256);
  let groupSizes = new Int32Array(256);
  const texts = new Map<number, string>();
  let pairGroups = new Int32Array(1024);
  let pairHosts = new Int32Array(1024);
  let pairs = 0;
  let isLogFull = false;
  let lastHash = 0;
  /** Values that wait to be added together: both halves of the hash, the host, the number of bytes. */
  const batch = new Int32Array(batchSize * wordsPerEntry);
  const batchWords = new Int32Array((batchSize * maxComparedBytes) / 4);
  const hashAndCopy = createHasher(batchWords);
  const batchBytes = Buffer.from(batchWords.buffer);
  let batched = 0;
  let lastTouched = 0;

  /**
   * Adds the value of a cell, or of the part of it that ends before `end`.
   * @returns whether it is long enough to count
   */
  function add(host: number, record: CsvRecord, slot: number, end = record.ends[slot] as number): boolean {
    const { buffer } = record;
    lastHash = 0;
    let from = record.starts[slot] as number;
    if (from < 0) return false;
    let to = end;
    while (from < to && (buffer[from] as number) <= 32) from += 1;
    while (to > from && (buffer[to - 1] as number) <= 32) to -= 1;
    if (to - from < minBytes) return false;
    if (to - from > maxComparedBytes) {
      to = from + maxComparedBytes;
      // Not between the bytes of a character.
      while (((buffer[to] as number) & 0xc0) === 0x80 && to > from) to -= 1;
    }
    const { low, high } = hashAndCopy(buffer, from, to, (batched * maxComparedBytes) / 4);
    lastHash = low;
    const at = batched * wordsPerEntry;
    batch[at] = low;
    batch[at + 1] = high;
    batch[at + 2] = host;
    batch[at + 3] = to - from;
    batched += 1;
    return true;
  }

  /** Adds the values of the batch to the table. Must be called after `batchSize` rows at the latest. */
  function flush(): void {
    // Reads the slots of all values first: the processor waits for many of them at once, but not beyond a row of a
    // file. It saves about 8 % of the work on signals. `sizes` returns the result, so that the reads are not optimized
    // away.
    let touched = 0;
    for (let i = 0; i < batched; i += 1) {
      touched ^= table[((batch[i * wordsPerEntry] as number) & (slots - 1)) * 3 + 2] as number;
    }
    lastTouched = touched;
    for (let i = 0; i < batched; i += 1) addValue(i);
    batched = 0;
  }

  function addValue(entry: number): void {
    const low = batch[entry * wordsPerEntry] as number;
    const high = batch[entry * wordsPerEntry + 1] as number;
    const host = batch[entry * wordsPerEntry + 2] as number;
    const mask = slots - 1;
    let place = low & mask;
    for (;;) {
      const at = place * 3;
      const owner = table[at + 2] as number;
      if (owner === 0) {
        putValue(at, low, high, host + 1);
        if (used * 8 > slots * 5) makeRoom();
        return;
      }
      if (table[at] === low && table[at + 1] === high) {
        if (owner !== host + 1) addHost(at, owner, host, entry);
        return;
      }
      place = (place + 1) & mask;
    }
  }

  function putValue(at: number, low: number, high: number, owner: number): void {
    table[at] = low;
    table[at + 1] = high;
    table[at + 2] = owner;
    used += 1;
  }

  function addHost(at: number, owner: number, host: number, entry: number): void {
    let group = -owner;
    if (group < 0) {
      if (groups >= limits.groups || isLogFull) return;
      groups += 1;
      group = groups;
      table[at + 2] = -group;
      if (group >= groupSizes.length) {
        groupSizes = enlarge(groupSizes);
        lastHosts = enlarge(lastHosts);
      }
      log(group, owner - 1);
    } else if (lastHosts[group] === host || groupSizes[group] === IGNORED || isLogFull) return;
    lastHosts[group] = host;
    log(group, host);
    if (groupSizes[group] !== minDomains) return;
    const text = toText(textOf(entry));
    if (text === undefined) groupSizes[group] = IGNORED;
    else texts.set(group, text);
  }

  function textOf(entry: number): string {
    const start = entry * maxComparedBytes;
    return readText(batchBytes, start, start + (batch[entry * wordsPerEntry + 3] as number));
  }

  function log(group: number, host: number): void {
    if (pairs === pairHosts.length) {
      if (pairs < limits.pairs) {
        pairGroups = enlarge(pairGroups);
        pairHosts = enlarge(pairHosts);
      } else {
        removeDuplicates();
        isLogFull = pairs * 4 > limits.pairs * 3;
      }
    }
    if (isLogFull) return;
    pairGroups[pairs] = group;
    pairHosts[pairs] = host;
    pairs += 1;
    groupSizes[group] = (groupSizes[group] as number) + 1;
  }

  function makeRoom(): void {
    const old = table;
    const isFull = slots >= limits.slots;
    if (!isFull) slots *= 2;
    table = new Int32Array(slots * 3);
    used = 0;
    for (let at = 0; at < old.length; at += 3) {
      const owner = old[at + 2] as number;
      if (owner === 0 || (isFull && owner > 0)) continue;
      const low = old[at] as number;
      let place = low & (slots - 1);
      while (table[place * 3 + 2] !== 0) place = (place + 1) & (slots - 1);
      putValue(place * 3, low, old[at + 1] as number, owner);
    }
  }

  /** Sorts the log by group. @returns the hosts, and the position after the last host of each group */
  function sortPairs(): { hosts: Int32Array; ends: Int32Array } {
    const ends = new Int32Array(groups + 1);
    for (let i = 0; i < pairs; i += 1) ends[pairGroups[i] as number] = (ends[pairGroups[i] as number] as number) + 1;
    for (let group = 1; group <= groups; group += 1) {
      ends[group] = (ends[group] as number) + (ends[group - 1] as number);
    }
    const next = Int32Array.from(ends);
    const hosts = new Int32Array(pairs);
    // From the last pair on, each is put before those that are already there.
    for (let i = pairs - 1; i >= 0; i -= 1) {
      const group = pairGroups[i] as number;
      const position = (next[group] as number) - 1;
      next[group] = position;
      hosts[position] = pairHosts[i] as number;
    }
    return { hosts, ends };
  }

  function removeDuplicates(): void {
    const { hosts, ends } = sortPairs();
    const lastGroup = new Int32Array(hosts.reduce((max, host) => Math.max(max, host), 0) + 1);
    pairs = 0;
    for (let group = 1; group <= groups; group += 1) {
      for (let i = ends[group - 1] as number; i < (ends[group] as number); i += 1) {
        const host = hosts[i] as number;
        if (lastGroup[host] === group) continue;
        lastGroup[host] = group;
        pairGroups[pairs] = group;
        pairHosts[pairs] = host;
        pairs += 1;
      }
    }
  }

  /** Returns the values that at least `minDomains` domains share, most domains first. */
  function find({ byHost, names }: HostDomains): SharedValue[] {
    flush();
    const { hosts: allHosts, ends } = sortPairs();
    const lastGroup = new Int32Array(names.length);
    const found: SharedValue[] = [];
    for (const [group, text] of texts) {
      const hosts = allHosts.subarray(ends[group - 1], ends[group]);
      let domains = 0;
      for (const host of hosts) {
        const domain = byHost[host] as number;
        if (lastGroup[domain] === group) continue;
        lastGroup[domain] = group;
        domains += 1;
      }
      if (domains >= minDomains) found.push({ text, hosts, domains });
    }
    return found.sort((a, b) => b.domains - a.domains || (a.text < b.text ? -1 : 1));
  }

  return {
    add,
    find,
    /** A hash of the value that was added last, 0 if it was too short. */
    lastHash: () => lastHash,
    /** The position in the batch of the value that was added last. */
    lastEntry: () => batched - 1,
    textOf,
    flush,
    /** What is in memory, to compare with the limits. */
    sizes: () => ({ slots, groups, pairs: pairHosts.length, texts: texts.size, touched: lastTouched }),
  };
}

function enlarge(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
