import type { CsvRecord } from '../../platform/csv/csv-record.ts';
import { batchSize, type HostDomains } from './shared-values.ts';
import { readCell } from './texts.ts';

/** A link with the same anchor on so many pages is part of the site's frame, such as its footer. */
export const minSitewideLinks = 50;
/** A page with more external domains or links, and with fewer visits a month, exists for its links. */
const maxExternal = 100;
const minTraffic = 10;

export const isFarmPage = (external: number, traffic: number) =>
  external > maxExternal && traffic >= 0 && traffic < minTraffic;

/** Texts are kept for so many of the hosts that show a pattern. */
const maxTexts = 1000;

/** Flags of a host: what its links that are not lost show. */
export const HAS_ANCHOR = 1;
export const SITEWIDE = 2;
export const FARM = 4;
export const HAS_ADDRESS = 8;

/** An example of a host. */
export interface HostExample {
  host: number;
  text: string;
  count: number;
}

/** The words of a host. */
const FLAGS = 0;
/** The first day + 1, 0 without one. */
const DAY = 1;
/** The hash of the anchor that leads, and how many more links have it than another one. */
const LEADER = 2;
const LEAD = 3;
const wordsPerHost = 4;
const wordsPerRow = 5;

/** What is known about each host, in one array that grows. Rows wait in a batch, see `createSharedValues`. */
export function createHostFacts() {
  let words = new Int32Array(1024 * wordsPerHost);
  const sitewide = new Map<number, HostExample>();
  const farms = new Map<number, HostExample>();
  /** Per row: the host, its flags, the day, and the hash and the text of the anchor. */
  const batch = new Int32Array(batchSize * wordsPerRow);
  let batched = 0;
  let lastTouched = 0;

  function reserve(host: number): void {
    const length = (host + 1) * wordsPerHost;
    if (length <= words.length) return;
    const larger = new Int32Array(Math.max(length, words.length * 2));
    larger.set(words);
    words = larger;
  }

  function addFlag(host: number, flag: number): void {
    reserve(host);
    words[host * wordsPerHost] = (words[host * wordsPerHost] as number) | flag;
  }

  function addSitewideHost(host: number, count: number, toText: () => string): void {
    addFlag(host, SITEWIDE);
    const known = sitewide.get(host);
    if (known !== undefined) known.count = Math.max(known.count, count);
    else if (sitewide.size < maxTexts) sitewide.set(host, { host, text: toText(), count });
  }

  /**
   * Finds the anchor with at least `minSitewideLinks` links by a majority vote (Boyer and Moore, 1981).
   * @param at the first word of the host
   * @returns how many more links have the anchor than another one
   */
  function vote(at: number, hash: number): number {
    const lead = words[at + LEAD] as number;
    if (lead === 0) words[at + LEADER] = hash;
    const change = words[at + LEADER] === hash ? 1 : -1;
    words[at + LEAD] = lead + change;
    return lead + change;
  }

  return {
    /**
     * Adds a row to the batch.
     * @param day since 1970, or -1
     */
    addRow(host: number, flags: number, day: number): void {
      const at = batched * wordsPerRow;
      batch[at] = host;
      batch[at + 1] = flags;
      batch[at + 2] = day;
      batched += 1;
    },
    /**
     * Sets the anchor of the row that was added last.
     * @param hash 0 to leave it out
     * @param anchor what `toText` of `flush` returns the anchor for
     */
    setAnchor(hash: number, anchor: number): void {
      const at = (batched - 1) * wordsPerRow;
      batch[at + 3] = hash;
      batch[at + 4] = anchor;
    },
    /** Adds the rows of the batch to their hosts. */
    flush(toText: (anchor: number) => string): void {
      let touched = 0;
      for (let i = 0; i < batched; i += 1) {
        const host = batch[i * wordsPerRow] as number;
        reserve(host);
        touched ^= words[host * wordsPerHost] as number;
      }
      lastTouched = touched;
      for (let i = 0; i < batched; i += 1) {
        const row = i * wordsPerRow;
        const host = batch[row] as number;
        const at = host * wordsPerHost;
        const day = batch[row + 2] as number;
        const hash = batch[row + 3] as number;
        const first = words[at + DAY] as number;
        words[at] = (words[at] as number) | (batch[row + 1] as number);
        if (day >= 0 && (first === 0 || day + 1 < first)) words[at + DAY] = day + 1;
        const lead = hash === 0 ? 0 : vote(at, hash);
        if (lead >= minSitewideLinks) addSitewideHost(host, lead, () => toText(batch[row + 4] as number));
      }
      batched = 0;
    },
    addFlag,
    /**
     * Adds a link that the export itself calls sitewide.
     * @param groupSize how many links it stands for; undefined if the export does not say
     */
    addSitewide(host: number, groupSize: number | undefined, record: CsvRecord, slot: number): void {
      const known = sitewide.get(host);
      addSitewideHost(host, groupSize ?? (known?.count ?? 0) + 1, () => readCell(record, slot));
    },
    /** Adds an example of a page whose row has the flag. */
    addFarmPage(host: number, external: number, record: CsvRecord, slot: number): void {
      if (farms.size >= maxTexts) return;
      const known = farms.get(host);
      if (known && known.count >= external) return;
      farms.set(host, { host, text: readCell(record, slot), count: external });
    },
    flags: (host: number): number => words[host * wordsPerHost + FLAGS] ?? 0,
    /** Returns the first day of each domain since 1970, -1 without one. */
    toFirstDays({ byHost, names }: HostDomains): Int32Array {
      const days = new Int32Array(names.length).fill(-1);
      for (let host = 0; host < byHost.length; host += 1) {
        const day = (words[host * wordsPerHost + DAY] ?? 0) - 1;
        const domain = byHost[host] as number;
        const first = days[domain] as number;
        if (day >= 0 && (first < 0 || day < first)) days[domain] = day;
      }
      return days;
    },
    sitewide: () => [...sitewide.values()],
    farms: () => [...farms.values()],
    touched: () => lastTouched,
  };
}
