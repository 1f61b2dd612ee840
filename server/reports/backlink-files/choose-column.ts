import { registrableDomain } from '../../hostnames/coverage/coverage.ts';
import { type HostProblem, isPageAddress } from '../../hostnames/hosts/hosts.ts';
import { findLinkHost, readLinkHost } from '../../hostnames/links/links.ts';
import type { SampleRecord } from '../../platform/csv/dialect.ts';
import { type ColumnRole, canBeProvenance, getColumnRole, getSourceRank, normalizeHeader } from './column-names.ts';
import type { OwnSite } from './own-site.ts';
import { hasSearchMetrics, nameReportWithoutLinks, recognizeWrongReport, type WrongReport } from './wrong-reports.ts';

/** What the sample of a file says about one column. */
interface ColumnFacts {
  column: number;
  name: string;
  role: ColumnRole;
  /** The lower, the more likely the column has the linking pages. */
  rank: number;
  /** Cells that are not empty. */
  filled: number;
  /** Addresses of the user's own website. */
  own: number;
  /** Other addresses. */
  others: number;
  /** Cells with IP addresses. */
  ips: number;
  /** Full URLs weigh more than bare hosts. */
  weight: number;
  /** Other addresses that are those of a page, and not of a whole site. */
  pages: number;
  /** Addresses, of the user's own website too, that are full URLs. */
  urls: number;
  /** Registrable domains of the other addresses. */
  domains: Set<string>;
  /** The same domains by the number of their row. */
  domainByRow: Map<number, string>;
  /** The rows in which a link to the address is a link to the user's website. */
  ownTargets: Set<number>;
  /** The sites of the other addresses, with their numbers. */
  elsewhere: Map<string, number>;
}

interface ChosenColumn {
  column: number;
  /** False if another column is about as likely. */
  isSure: boolean;
  /** The site that the links point to, if none of them points to the user's website. Says if there are more sites. */
  otherSite: string | null;
  /** The column with the targets, by its name or its content; undefined if no column has addresses of targets. */
  targetColumn: number | undefined;
  /** Whether the addresses of the column are not first in their cells. */
  hasTexts: boolean;
}
export type ColumnChoice = ChosenColumn | { wrongReport: WrongReport };

/** Reads a cell of the sample; `weight` is that of `readSampleCell`. */
type CellReader = (cell: string) => { host?: string; weight: number; problem?: HostProblem };

/** Columns with at least this share of own addresses are outgoing links if another column has only own ones. */
const minOwnShare = 0.2;
/** Another column with at least this share of the best score leaves the choice open. */
const similarScore = 0.5;
/** A column whose bare hosts are a smaller share of its cells contains texts, a few of which look like hosts. */
const minHostShare = 0.5;

/**
 * Chooses the column with the linking pages: by its name if it contains usable addresses, otherwise by content. A
 * column with the user's own pages or with the targets of links is never chosen, whatever its position. If no column
 * contains addresses, one is chosen whose texts contain URLs.
 * @param header the names of the columns; may be shorter than the rows
 * @param rows the first rows of data
 */
export function chooseColumn(header: readonly string[], rows: readonly SampleRecord[], site: OwnSite): ColumnChoice {
  const names = header.map(normalizeHeader);
  const wrongReport = recognizeWrongReport(names);
  if (wrongReport !== undefined) return { wrongReport };
  const choice = chooseByFacts(names, collectFacts(names, rows, site, readSampleCell));
  if ('isSure' in choice || ('wrongReport' in choice && !mayHaveTexts.includes(choice.wrongReport))) return choice;
  const withTexts = chooseByFacts(names, collectFacts(names, rows, site, createTextReader(site.isOwn)));
  if ('isSure' in withTexts) return { ...withTexts, hasTexts: true };
  if ('wrongReport' in choice) return choice;
  // A sample without addresses does not mean that the rest of a named column has none.
  return { column: choice.unreadColumn, isSure: true, otherSite: null, targetColumn: undefined, hasTexts: false };
}

/** What a file seems to be if the linking pages are somewhere in its texts. */
const mayHaveTexts: readonly WrongReport[] = ['own pages', 'targets', 'no addresses', 'anchor texts'];

/** @returns `unreadColumn`: a column that is named as the one with the linking pages, but contains no addresses */
function chooseByFacts(
  names: readonly string[],
  columns: readonly ColumnFacts[],
): ColumnChoice | { unreadColumn: number } {
  const ofRole = (role: ColumnRole) => columns.filter((facts) => facts.role === role).sort((a, b) => a.rank - b.rank);
  const targets = ofRole('target').filter(hasAddresses);
  const named = ofRole('source');
  const ambiguous = ofRole('ambiguous');
  const isTarget = (facts: ColumnFacts) =>
    isMixed(facts) && named.some((source) => !canBeProvenance(source.name) && isTargetOf(source, facts));
  const others = [...ambiguous, ...ofRole('unknown')].filter((facts) => !isTarget(facts));
  const hasDiversePages = others.some((facts) => facts.domains.size > 1 && listsOnlyPages(facts));
  const usable = named.filter(
    (facts) => hasOthers(facts) && isAddressColumn(facts) && !(hasDiversePages && repeatsOneHost(facts)),
  );
  const first = usable.find((facts) => ![...named, ...others].some((other) => isProvenance(facts, other)));
  const choice = first && (others.find((facts) => hasPagesOf(facts, first)) ?? first);
  const choose = (facts: ColumnFacts, isSure: boolean) => toChoice(facts, targets, columns, isSure);
  if (choice !== undefined) {
    if (isOutgoing(choice, targets)) return outgoing(names);
    return choose(choice, !others.some((other) => isEqualSource(choice, other)));
  }

  const isOnlyOwn = (facts: ColumnFacts) =>
    facts.role !== 'target' && facts.role !== 'text' && facts.own > 0 && facts.others === 0 && isAddressColumn(facts);
  const ownColumn = columns.find(isOnlyOwn);
  const pointsElsewhere = (facts: ColumnFacts) => facts.role === 'target' && facts.others > 0;
  const candidates = others.filter(hasOthers);
  if (ownColumn !== undefined && (ownColumn.role === 'source' || candidates.length === 0)) {
    const leadsOut = columns.some(pointsElsewhere) || (ownColumn.role === 'source' && candidates.some(isMixed));
    if (leadsOut) return outgoing(names);
  }
  const best = candidates.length > 0 ? chooseByContent(candidates) : undefined;
  if (best === undefined) {
    // Anchor texts and queries can be addresses too.
    const hasPages = columns.some((facts) => facts.role !== 'text' && facts.own > 0 && isAddressColumn(facts));
    if (hasPages) return { wrongReport: 'own pages' };
    if (targets.length > 0) return { wrongReport: targets.some(({ own }) => own > 0) ? 'own pages' : 'targets' };
    if (columns.some(({ ips, filled }) => ips * 2 > filled)) return { wrongReport: 'IP addresses' };
    const report = nameReportWithoutLinks(names);
    const [any] = named.length > 0 ? named : ambiguous;
    return report === 'no addresses' && any !== undefined ? { unreadColumn: any.column } : { wrongReport: report };
  }
  const pointsHere = targets.some(({ own, others }) => own > others);
  if (ownColumn !== undefined && !pointsHere && isMixed(best.facts)) return outgoing(names);
  if (best.facts.domains.size === 1 && hasSearchMetrics(names)) return { wrongReport: 'top pages' };
  // A column that says where the rows came from has fewer sites than one with the links. A target has own addresses.
  const isSurpassed = usable.every(
    ({ domains }) =>
      domains.size < best.facts.domains.size &&
      best.facts.own === 0 &&
      (best.facts.role !== 'unknown' || listsOnlyPages(best.facts)),
  );
  return choose(best.facts, best.isSure && isSurpassed);
}

const hasOthers = ({ others }: ColumnFacts) => others > 0;
/** Whether the cells are URLs, or mostly hosts, and not texts of which a few look like hosts. */
const isAddressColumn = ({ own, others, filled, weight }: ColumnFacts) =>
  weight > 2 * others || own + others >= filled * minHostShare;
const listsOnlyPages = ({ weight, others }: ColumnFacts) => weight === 3 * others;
const listsOnlyHosts = ({ weight, others }: ColumnFacts) => weight === 2 * others;
/** Whether a column has pages of exactly the sites that a column of domains lists. */
const hasPagesOf = (pages: ColumnFacts, hosts: ColumnFacts) =>
  listsOnlyHosts(hosts) && listsOnlyPages(pages) && pages.domains.symmetricDifference(hosts.domains).size === 0;
/** Whether a column repeats one host, as that of the tool which found the links. */
const repeatsOneHost = (facts: ColumnFacts) => listsOnlyHosts(facts) && facts.others > 2 && facts.domains.size === 1;
/** Whether a column mostly has the site of the linking page, as one with its canonical or final address does. */
function repeatsSites(facts: ColumnFacts, source: ColumnFacts): boolean {
  const repeated = [...facts.domainByRow].filter(([row, domain]) => source.domainByRow.get(row) === domain);
  return repeated.length * 2 >= facts.own + facts.others;
}
/**
 * Whether a column could say where the rows came from, because another one has other sites: at least as many if the
 * column has only sites. If it has pages, they must be of repeated sites, and the other one have more of them and a
 * known name.
 */
const isProvenance = (facts: ColumnFacts, other: ColumnFacts) =>
  canBeProvenance(facts.name) &&
  isAddressColumn(other) &&
  other.domains.size >= Math.max(2, facts.domains.size) &&
  (facts.pages === 0 ||
    (facts.others >= 2 * facts.domains.size &&
      other.domains.size > facts.domains.size &&
      other.role !== 'unknown' &&
      !canBeProvenance(other.name))) &&
  !repeatsSites(other, facts);
/**
 * Whether a column that could say where the rows came from and another one both have pages of many sites, or the column
 * has pages of repeated sites, and the other one more sites.
 */
const isEqualSource = (facts: ColumnFacts, other: ColumnFacts) =>
  canBeProvenance(facts.name) &&
  other !== facts &&
  other.own === 0 &&
  isAddressColumn(other) &&
  other.domains.size > 1 &&
  (listsOnlyPages(other)
    ? other.domains.size * 2 >= facts.domains.size
    : facts.others >= 2 * facts.domains.size && other.domains.size > facts.domains.size) &&
  !repeatsSites(other, facts);
/** Whether links of a source point to the user's website by another column. */
const isTargetOf = (source: ColumnFacts, facts: ColumnFacts) =>
  facts !== source &&
  facts.role !== 'text' &&
  (facts.urls * 2 >= facts.filled || facts.own + facts.others === facts.filled) &&
  [...facts.ownTargets].some((row) => source.domainByRow.has(row)) &&
  !repeatsSites(facts, source);
const listsPagesOfOneSite = (facts: ColumnFacts) =>
  facts.own + facts.others > 2 && facts.domains.size + Math.min(facts.own, 1) === 1 && listsOnlyPages(facts);
const hasAddresses = ({ others, own }: ColumnFacts) => others + own > 0;
const isMixed = ({ others, own }: ColumnFacts) => own > 0 && own >= (own + others) * minOwnShare;

function collectFacts(
  names: readonly string[],
  rows: readonly SampleRecord[],
  site: OwnSite,
  readCell: CellReader,
): ColumnFacts[] {
  const columns: ColumnFacts[] = [];
  for (const [row, { cells }] of rows.entries()) {
    for (const [column, cell] of cells.entries()) {
      if (cell.trim() === '') continue;
      const name = names[column] ?? '';
      columns[column] ??= {
        column,
        name,
        role: getColumnRole(name),
        rank: getSourceRank(name),
        filled: 0,
        own: 0,
        others: 0,
        ips: 0,
        weight: 0,
        pages: 0,
        urls: 0,
        domains: new Set(),
        domainByRow: new Map(),
        ownTargets: new Set(),
        elsewhere: new Map(),
      };
      const facts = columns[column];
      facts.filled += 1;
      const { host, weight, problem } = facts.role === 'target' ? readSampleText(cell) : readCell(cell);
      if (problem === 'IP address') facts.ips += 1;
      if (host === undefined) continue;
      const isOwn = site.isOwn(host);
      const domain = registrableDomain(host) ?? host;
      if (weight === 3) facts.urls += 1;
      if (isOwn) facts.own += 1;
      else {
        facts.others += 1;
        facts.weight += weight;
        if (isPageAddress(cell)) facts.pages += 1;
        facts.domains.add(domain);
        facts.domainByRow.set(row, domain);
      }
      if (site.isTarget(host)) facts.ownTargets.add(row);
      else {
        const name = isOwn ? host : domain;
        facts.elsewhere.set(name, (facts.elsewhere.get(name) ?? 0) + 1);
      }
    }
  }
  return columns.filter((facts) => facts !== undefined);
}

/** Whether links from one site to many others are outgoing links of that site. */
function isOutgoing(source: ColumnFacts, targets: readonly ColumnFacts[]): boolean {
  return (
    source.domains.size === 1 && source.own === 0 && targets.some(({ own, domains }) => own === 0 && domains.size > 2)
  );
}

function outgoing(names: readonly string[]): ColumnChoice {
  return { wrongReport: names.some((name) => /\bbroken\b|^dead link/.test(name)) ? 'broken links' : 'outgoing links' };
}

/**
 * Without a column that is named as the one with the targets, one is whose links point to the user's website, or an
 * ambiguous one that repeats one site, which is not that of the linking pages.
 */
function toChoice(
  source: ColumnFacts,
  named: readonly ColumnFacts[],
  columns: readonly ColumnFacts[],
  isSure: boolean,
): ColumnChoice {
  const repeatsSite = (facts: ColumnFacts) =>
    facts !== source &&
    facts.role === 'ambiguous' &&
    listsPagesOfOneSite(facts) &&
    facts.domains.isDisjointFrom(source.domains);
  const targets = named.length > 0 ? named : columns.filter((facts) => isTargetOf(source, facts) || repeatsSite(facts));
  // Pages say more than their sites.
  const rate = ({ ownTargets, urls }: ColumnFacts) => (ownTargets.size > 0 ? 2 : 0) + (urls > 0 ? 1 : 0);
  const [target] = targets.toSorted((a, b) => rate(b) - rate(a));
  // Of two columns with targets, the one that repeats a site can have pages of a single linking site.
  const isUnclear = source.role === 'unknown' && targets.some((facts) => facts !== target && repeatsSite(facts));
  return {
    column: source.column,
    isSure: isSure && !isUnclear,
    otherSite: target === undefined || target.ownTargets.size > 0 ? null : nameSites(target.elsewhere),
    targetColumn: target?.column,
    hasTexts: false,
  };
}

/** Returns the most frequent site, and how many others there are. */
function nameSites(sites: ReadonlyMap<string, number>): string | null {
  const [first, ...others] = [...sites].sort(([, a], [, b]) => b - a);
  if (first === undefined) return null;
  if (others.length === 0) return first[0];
  return `${first[0]} and ${others.length} other ${others.length === 1 ? 'site' : 'sites'}`;
}

/**
 * Chooses among columns whose names do not decide. Many different sites indicate linking pages, one repeated site
 * indicates a target. Between columns that contain about as many addresses, the better name wins.
 */
function chooseByContent(candidates: readonly ColumnFacts[]): { facts: ColumnFacts; isSure: boolean } | undefined {
  const usable = candidates.filter((facts) => facts.role === 'ambiguous' || isAddressColumn(facts));
  const diverse = usable.filter(({ domains }) => domains.size > 1);
  const likely = diverse.length > 0 ? diverse : usable;
  const score = ({ weight, domains }: ColumnFacts) => (weight * domains.size) / (domains.size + 1);
  const enough = Math.max(...likely.map(score)) * similarScore;
  const [best, ...rest] = likely
    .filter((facts) => score(facts) >= enough)
    .sort((a, b) => a.rank - b.rank || score(b) - score(a));
  if (best === undefined) return undefined;
  // A column with the domain of the linking page names the same sites.
  // One with fewer sites, some of them repeated, says where the rows came from.
  const isRival = ({ role, domains, others, pages }: ColumnFacts) =>
    !domains.isSubsetOf(best.domains) &&
    !(role === 'unknown' && pages === 0 && domains.size < Math.min(others, best.domains.size));
  return { facts: best, isSure: !rest.some(isRival) };
}

/**
 * Creates a function like `readSampleCell`, for texts that can contain a URL.
 * @param isOwn whether a host counts only if the text has no URL with another one
 */
function createTextReader(isOwn: OwnSite['isOwn']): CellReader {
  return (cell) => {
    const read = readSampleCell(cell);
    if ((read.host !== undefined && !isOwn(read.host)) || cell.length > 8192) return read;
    const host = findLinkHost(cell, isOwn);
    return typeof host === 'string' ? { host, weight: 2 } : read;
  };
}

export const readSampleText = createTextReader(() => false);

/**
 * Reads a cell of the sample. `weight` is 3 for a full URL or a `domain:` line, and 2 for a bare host, because texts
 * contain bare hosts too.
 */
export function readSampleCell(cell: string): ReturnType<CellReader> {
  if (cell.length < 3 || cell.length > 8192) return { weight: 0 };
  const read = readLinkHost(cell);
  if (typeof read !== 'string') return { weight: 0, ...read };
  return { host: read, weight: /:\/|%3a%2f|^\s*domain:/i.test(cell) ? 3 : 2 };
}
