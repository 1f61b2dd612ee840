import { type Signal, type SignalExample, signals } from '#shared/reports/signals.ts';
import type { CsvRecord } from '../../platform/csv/csv-record.ts';
import { findBursts } from './bursts.ts';
import {
  createHostFacts,
  FARM,
  HAS_ADDRESS,
  HAS_ANCHOR,
  type HostExample,
  isFarmPage,
  minSitewideLinks,
  SITEWIDE,
} from './host-facts.ts';
import { createResults, type FoundSignals } from './results.ts';
import { batchSize, createSharedValues, type HostDomains, type SharedValues } from './shared-values.ts';
import { createAnchorTest, isTellingAddress, isTellingAuthor, isTellingTitle } from './texts.ts';

/** An anchor is repeated if this many domains and this share of those with an anchor use it. */
const minAnchorDomains = 5;
const minAnchorShare = 0.02;
const minAnchorBytes = 3;

/** So many domains with the same title or author, or in the same place, are hardly a coincidence. */
const minTitleDomains = 3;
const minAddressDomains = 3;
const minNetworkDomains = 5;
/** Twelve Latin letters, or four Chinese ones. */
const minTitleBytes = 12;
const minAuthorBytes = 5;

const DOT = 46;

/** The slots of a record with the cells that show patterns; -1 for a cell that the table does not have. */
export interface SignalSlots {
  page: number;
  anchor: number;
  title: number;
  author: number;
  address: number;
  linkedDomains: number;
  externalLinks: number;
  pageTraffic: number;
  /** The number of links that the row stands for. */
  groupSize: number;
  /** Returns the day since 1970 on which the tool first saw the link, or -1; undefined without such a column. */
  readFirstDay: ((record: CsvRecord) => number) | undefined;
  /** Whether the export says that the link is on every page of the site; undefined if it does not say. */
  isSitewide: ((record: CsvRecord) => boolean) | undefined;
}

/** Reads a row with the number of its host. A link that an earlier file contains is a duplicate. */
type SignalReader = (host: number, record: CsvRecord, isDuplicate: boolean) => void;

export type Signals = ReturnType<typeof createSignals>;

/**
 * Collects the patterns of an export while it is read, in limited memory (see `createSharedValues`). Lost links show no
 * patterns and must be left out.
 * @param ownHost the host of the user's website, whose name is not a telling anchor
 */
export function createSignals(ownHost: string) {
  const isTellingAnchor = createAnchorTest(ownHost);
  const anchors = createTexts({ minDomains: minAnchorDomains, minBytes: minAnchorBytes, isTelling: isTellingAnchor });
  const titles = createTexts({ minDomains: minTitleDomains, minBytes: minTitleBytes, isTelling: isTellingTitle });
  const authors = createTexts({ minDomains: minTitleDomains, minBytes: minAuthorBytes, isTelling: isTellingAuthor });
  const addresses = createTexts({ minDomains: minAddressDomains, minBytes: 3, isTelling: isTellingAddress });
  const networks = createSharedValues({
    minDomains: minNetworkDomains,
    minBytes: 5,
    toText: (network) => (isTellingAddress(`${network}.0`) ? `${network}.0/24` : undefined),
  });
  const facts = createHostFacts();
  const available = new Set<Signal>();
  const tables = { anchors, titles, authors, addresses, networks };
  /** Rows in the batches. */
  let rows = 0;

  function flush(): void {
    facts.flush((entry) => (entry < 0 ? '' : anchors.textOf(entry)));
    for (const table of Object.values(tables)) table.flush();
    rows = 0;
  }

  /** Returns a reader of the rows of a table that are not lost. Without a column for any pattern, it does nothing. */
  function openTable(slots: SignalSlots): SignalReader {
    const { page, anchor, readFirstDay, title, author, address, linkedDomains, externalLinks, pageTraffic } = slots;
    const { groupSize, isSitewide } = slots;
    const external = linkedDomains < 0 ? externalLinks : linkedDomains;
    const hasFarmColumns = external >= 0 && pageTraffic >= 0;
    const has: Record<Signal, boolean> = {
      repeatedAnchors: anchor >= 0,
      linkBursts: readFirstDay !== undefined,
      sitewideLinks: anchor >= 0 || groupSize >= 0 || isSitewide !== undefined,
      linkFarmPages: hasFarmColumns,
      sharedTitles: title >= 0 || author >= 0,
      sharedNetworks: address >= 0,
    };
    for (const signal of signals) if (has[signal]) available.add(signal);
    return (host, record, isDuplicate) => {
      if (rows === batchSize) flush();
      rows += 1;
      let found = 0;
      let hash = 0;
      let entry = -1;
      if (anchor >= 0) {
        if (anchors.add(host, record, anchor)) {
          found = HAS_ANCHOR;
          entry = anchors.lastEntry();
        }
        if (!isDuplicate) hash = anchors.lastHash();
      }
      if (title >= 0) titles.add(host, record, title);
      if (author >= 0) authors.add(host, record, author);
      if (hasFarmColumns) {
        const count = readCount(record, external);
        if (isFarmPage(count, readCount(record, pageTraffic))) {
          found |= FARM;
          facts.addFarmPage(host, count, record, page);
        }
      }
      facts.addRow(host, found, readFirstDay ? readFirstDay(record) : -1);
      facts.setAnchor(hash, entry);
      if (isSitewide?.(record)) facts.addSitewide(host, undefined, record, anchor);
      if (groupSize >= 0) {
        const count = readCount(record, groupSize);
        if (count >= minSitewideLinks) facts.addSitewide(host, count, record, anchor);
      }
      // A website is looked up once.
      if (address < 0 || (facts.flags(host) & HAS_ADDRESS) !== 0) return;
      if (!addresses.add(host, record, address)) return;
      facts.addFlag(host, HAS_ADDRESS);
      const start = record.starts[address] as number;
      let end = (record.ends[address] as number) - 1;
      while (end > start && record.buffer[end] !== DOT) end -= 1;
      if (end > start) networks.add(host, record, address, end);
    };
  }

  /** @param domains the referring domains of the hosts that were read, which are known only after the last row */
  function finish(domains: HostDomains): FoundSignals {
    flush();
    const { byHost, names } = domains;
    const results = createResults(domains);
    const hasFlag = (flag: number) => (host: number) => (facts.flags(host) & flag) !== 0;
    const toExamples = (kind: SignalExample['kind'], found: readonly HostExample[]) =>
      found.map(({ host, text, count }) => ({ kind, text, count, domains: [names[byHost[host] as number] ?? ''] }));

    const minDomains = minAnchorShare * results.countDomains(hasFlag(HAS_ANCHOR));
    const repeated = anchors.find(domains).filter((value) => value.domains >= minDomains);
    results.addValues('repeatedAnchors', 'anchor', repeated);
    results.addValues('sharedTitles', 'title', titles.find(domains));
    results.addValues('sharedTitles', 'author', authors.find(domains));
    results.addValues('sharedNetworks', 'address', addresses.find(domains));
    results.addValues('sharedNetworks', 'network', networks.find(domains));
    results.addHosts('sitewideLinks', hasFlag(SITEWIDE), toExamples('links', facts.sitewide()));
    results.addHosts('linkFarmPages', hasFlag(FARM), toExamples('page', facts.farms()));
    const bursts = findBursts(facts.toFirstDays(domains), names);
    const isNew = new Set(bursts.domains);
    results.addHosts('linkBursts', (host) => isNew.has(byHost[host] as number), bursts.examples);
    return results.finish(available);
  }

  return {
    openTable,
    finish,
    /** What is in memory, for tests. */
    sizes: () => Object.entries(tables).map(([name, table]) => ({ name, ...table.sizes() })),
  };
}

function createTexts({
  isTelling,
  ...options
}: {
  minDomains: number;
  minBytes: number;
  isTelling(text: string): boolean;
}): SharedValues {
  return createSharedValues({
    ...options,
    toText: (text) => (isTelling(text) ? text : undefined),
  });
}

const COMMA = 44;
const SPACE = 32;
const ZERO = 48;

/** Returns the whole number at the start of a cell, without separators of thousands; -1 for another text. */
function readCount({ buffer, starts, ends }: CsvRecord, slot: number): number {
  const start = starts[slot] ?? -1;
  const end = ends[slot] ?? start;
  let count = -1;
  for (let i = start; i >= 0 && i < end; i += 1) {
    const byte = buffer[i] as number;
    const digit = byte - ZERO;
    if (digit >= 0 && digit <= 9) count = count < 0 ? digit : count * 10 + digit;
    else if (count < 0 ? byte !== SPACE : byte !== COMMA) return count;
  }
  return count;
}
