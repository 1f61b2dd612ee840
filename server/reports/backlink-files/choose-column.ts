import { registrableDomain } from '../../hostnames/coverage/coverage.ts';
import type { HostProblem } from '../../hostnames/hosts/hosts.ts';
import { readLinkHost } from '../../hostnames/links/links.ts';
import type { SampleRecord } from '../../platform/csv/dialect.ts';
import { type ColumnRole, getColumnRole, getSourceRank, normalizeHeader } from './column-names.ts';
import { hasSearchMetrics, nameReportWithoutLinks, recognizeWrongReport, type WrongReport } from './wrong-reports.ts';

/** What the sample of a file says about one column. */
interface ColumnFacts {
  column: number;
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
  /** Registrable domains of the other addresses. */
  domains: Set<string>;
}

export type ColumnChoice =
  | {
      column: number;
      /** False if another column is about as likely. */
      isSure: boolean;
      /** The only site that the links point to, if it is not the user's website. */
      otherSite: string | null;
      /** A column whose pages make it the one with the targets; undefined if a name tells which one it is. */
      targetColumn: number | undefined;
    }
  | { wrongReport: WrongReport };

/** Columns with at least this share of own addresses are outgoing links if another column has only own ones. */
const minOwnShare = 0.2;
/** Another column with at least this share of the best score leaves the choice open. */
const similarScore = 0.5;
/** A column whose bare hosts are a smaller share of its cells contains texts, a few of which look like hosts. */
const minHostShare = 0.5;

/**
 * Chooses the column with the linking pages: by its name if it contains usable addresses, otherwise by content. A
 * column with the user's own pages or with the targets of links is never chosen, whatever its position.
 * @param header the names of the columns; may be shorter than the rows
 * @param rows the first rows of data
 */
export function chooseColumn(
  header: readonly string[],
  rows: readonly SampleRecord[],
  isOwn: (host: string) => boolean,
): ColumnChoice {
  const names = header.map(normalizeHeader);
  const wrongReport = recognizeWrongReport(names);
  if (wrongReport !== undefined) return { wrongReport };
  const columns = collectFacts(names, rows, isOwn);
  const ofRole = (role: ColumnRole) => columns.filter((facts) => facts.role === role).sort((a, b) => a.rank - b.rank);
  const targets = ofRole('target').filter(hasAddresses);
  const named = ofRole('source');
  const ambiguous = ofRole('ambiguous');
  const others = [...ambiguous, ...ofRole('unknown')];
  const hasDiversePages = others.some((facts) => facts.domains.size > 1 && listsOnlyPages(facts));
  const first = named.find(
    (facts) => hasOthers(facts) && isAddressColumn(facts) && !(hasDiversePages && repeatsOneHost(facts)),
  );
  const choice = first && (others.find((facts) => hasPagesOf(facts, first)) ?? first);
  const choose = (facts: ColumnFacts, isSure: boolean) => toChoice(facts, targets, ambiguous, isSure);
  if (choice !== undefined) return isOutgoing(choice, targets) ? outgoing(names) : choose(choice, true);

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
    if (hasPages || targets.length > 0) return { wrongReport: 'own pages' };
    if (columns.some(({ ips, filled }) => ips * 2 > filled)) return { wrongReport: 'IP addresses' };
    const report = nameReportWithoutLinks(names);
    // A sample without addresses does not mean that the rest of a named column has none.
    const [any] = named.length > 0 ? named : ambiguous;
    return report === 'no addresses' && any !== undefined ? choose(any, true) : { wrongReport: report };
  }
  const pointsHere = targets.some(({ own, others }) => own > others);
  if (ownColumn !== undefined && !pointsHere && isMixed(best.facts)) return outgoing(names);
  if (best.facts.domains.size === 1 && hasSearchMetrics(names)) return { wrongReport: 'top pages' };
  return choose(best.facts, best.isSure);
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
const listsPagesOfOneSite = (facts: ColumnFacts) =>
  facts.own + facts.others > 2 && facts.domains.size + Math.min(facts.own, 1) === 1 && listsOnlyPages(facts);
const hasAddresses = ({ others, own }: ColumnFacts) => others + own > 0;
const isMixed = ({ others, own }: ColumnFacts) => own > 0 && own >= (own + others) * minOwnShare;

function collectFacts(
  names: readonly string[],
  rows: readonly SampleRecord[],
  isOwn: (host: string) => boolean,
): ColumnFacts[] {
  const columns: ColumnFacts[] = [];
  for (const { cells } of rows) {
    for (const [column, cell] of cells.entries()) {
      if (cell.trim() === '') continue;
      const name = names[column] ?? '';
      columns[column] ??= {
        column,
        role: getColumnRole(name),
        rank: getSourceRank(name),
        filled: 0,
        own: 0,
        others: 0,
        ips: 0,
        weight: 0,
        domains: new Set(),
      };
      const facts = columns[column];
      facts.filled += 1;
      const read = readSampleCell(cell);
      if (read.problem === 'IP address') facts.ips += 1;
      if (read.host === undefined) continue;
      if (isOwn(read.host)) facts.own += 1;
      else {
        facts.others += 1;
        facts.weight += read.weight;
        facts.domains.add(registrableDomain(read.host) ?? read.host);
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
 * Without a column that is named as the one with the targets, an ambiguous one is if it repeats one site, which is not
 * that of the linking pages.
 */
function toChoice(
  source: ColumnFacts,
  named: readonly ColumnFacts[],
  ambiguous: readonly ColumnFacts[],
  isSure: boolean,
): ColumnChoice {
  const isTarget = (facts: ColumnFacts) =>
    facts !== source && listsPagesOfOneSite(facts) && facts.domains.isDisjointFrom(source.domains);
  const targets = named.length > 0 ? named : ambiguous.filter(isTarget);
  const [first, ...others] = new Set(targets.flatMap(({ domains }) => [...domains]));
  const isElsewhere = others.length === 0 && targets.every(({ own }) => own === 0);
  return {
    column: source.column,
    isSure,
    otherSite: isElsewhere ? (first ?? null) : null,
    targetColumn: named.length > 0 ? undefined : targets[0]?.column,
  };
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
  const isRival = ({ domains }: ColumnFacts) => [...domains].some((domain) => !best.domains.has(domain));
  return { facts: best, isSure: !rest.some(isRival) };
}

/**
 * Reads a cell of the sample. `weight` is 3 for a full URL or a `domain:` line, and 2 for a bare host, because texts
 * contain bare hosts too.
 */
export function readSampleCell(cell: string): { host?: string; weight: number; problem?: HostProblem } {
  if (cell.length < 3 || cell.length > 8192) return { weight: 0 };
  const read = readLinkHost(cell);
  if (typeof read !== 'string') return { weight: 0, ...read };
  return { host: read, weight: /:\/|%3a%2f|^\s*domain:/i.test(cell) ? 3 : 2 };
}
