import { getColumnRole, isDomainColumn, normalizeHeader } from './column-names.ts';

/** A known export, identified by columns that other exports do not have. Names are in the form of `normalizeHeader`. */
interface KnownFormat {
  tool: string;
  report: string;
  /** All of these columns are required. */
  all: readonly string[];
  /** If given, at least one of these columns is required too. */
  any?: readonly string[];
}

/** Most specific first. The column names come from real exports or public parsers of them. */
export const knownFormats: readonly KnownFormat[] = [
  { tool: 'Ahrefs', report: 'Backlinks', all: ['referring page url'] },
  {
    tool: 'Ahrefs',
    report: 'Referring domains',
    all: ['domain'],
    any: ['dofollow ref. domains', 'dofollow linked domains', 'links to target', 'dr'],
  },
  {
    tool: 'Semrush',
    report: 'Backlink Audit',
    all: ['source url'],
    any: ['toxicity score', 'toxic markers', 'toxic score'],
  },
  { tool: 'Semrush', report: 'Backlinks', all: ['source url'], any: ['page ascore', 'page score', 'page trust score'] },
  {
    tool: 'Semrush',
    report: 'Referring domains',
    all: ['domain'],
    any: ['domain ascore', 'domain score', 'domain trust score'],
  },
  { tool: 'Majestic', report: 'Backlinks', all: ['sourceurl'] },
  {
    tool: 'Majestic',
    report: 'Raw backlinks',
    all: ['source url'],
    any: ['source crawl date', 'source first found date', 'flagnofollow', 'source trust flow'],
  },
  {
    tool: 'Majestic',
    report: 'Referring domains',
    all: ['domain'],
    any: ['refdomains', 'alexarank', 'trustflow', 'citationflow'],
  },
  { tool: 'Ubersuggest', report: 'Backlinks', all: ['source url', 'source page title'] },
  {
    tool: 'Moz',
    report: 'Inbound links',
    all: ['url'],
    any: ['page authority', 'domain authority', 'link equity', 'spam score'],
  },
  { tool: 'Google Search Console', report: 'Latest links', all: ['linking page'] },
  { tool: 'Google Search Console', report: 'Top linking sites', all: ['site', 'linking pages'] },
  { tool: 'AgencyAnalytics', report: 'Backlinks', all: ['link'], any: ['trust flow', 'citation flow'] },
];

/** More column names that distinguish a header from data. */
const otherColumns: ReadonlySet<string> = new Set([
  'backlinks',
  'clicks',
  'country',
  'domains',
  'first found',
  'first seen',
  'impressions',
  'inbound links',
  'language',
  'last crawled',
  'last seen',
  'linking domains',
  'links',
  'nofollow',
  'no',
  'position',
  'rank',
  'ctr',
  'volume',
  'search volume',
  'ref. domains',
  'referring domains',
  'source title',
  'status code',
  'title',
  'total backlinks',
  'type',
  ...knownFormats.flatMap((format) => [...format.all, ...(format.any ?? [])]),
]);

/**
 * Returns how many cells are known column names, or 0 if the row is not a header: a header names the linking pages or
 * their targets, or the texts, queries or addresses of another report and something else.
 */
export function countKnownColumns(cells: readonly string[]): number {
  let known = 0;
  let isHeader = false;
  let hasTexts = false;
  for (const name of new Set(cells.map(normalizeHeader))) {
    const role = getColumnRole(name);
    if (role === 'unknown' && !otherColumns.has(name)) continue;
    known += 1;
    if (role === 'text') hasTexts = true;
    else if (role !== 'unknown') isHeader = true;
  }
  return isHeader || (hasTexts && known > 1) ? known : 0;
}

/**
 * Returns the tool and report of a header, or the tool 'CSV file' if its columns match no known export.
 * @param column the column that is read
 */
export function recognizeFormat(header: readonly string[], column: number): { tool: string; report: string } {
  const names = new Set(header.map(normalizeHeader));
  for (const { tool, report, all, any } of knownFormats) {
    if (!all.every((name) => names.has(name))) continue;
    if (any === undefined || any.some((name) => names.has(name))) return { tool, report };
  }
  const listsDomains = isDomainColumn(normalizeHeader(header[column] ?? ''));
  return { tool: 'CSV file', report: listsDomains ? 'List of domains' : 'List of links' };
}
