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
const knownFormats: readonly KnownFormat[] = [
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

/** Names of the column with the linking page, best first. */
const sourceColumns: readonly string[] = [
  'referring page url',
  'source url',
  'sourceurl',
  'linking page',
  'linking page url',
  'linking url',
  'referring url',
  'source page url',
  'source page',
  'backlink url',
  'url from',
  'from url',
  'backlink',
  'link',
  'url',
  'site',
  'domain',
  'referring domain',
  'source domain',
  'linking site',
  'linking domain',
  'root domain',
  'host',
  'website',
];

/** Names of columns with the user's own pages, which are never the source. */
const targetColumns: ReadonlySet<string> = new Set([
  'target url',
  'targeturl',
  'link url',
  'url to',
  'to url',
  'target page',
  'target',
  'target domain',
]);

/** More column names that distinguish a header from data. */
const otherColumns: ReadonlySet<string> = new Set([
  'anchor',
  'anchor text',
  'anchortext',
  'backlinks',
  'country',
  'first found',
  'first seen',
  'ip address',
  'language',
  'last crawled',
  'last seen',
  'links',
  'nofollow',
  'no',
  'position',
  'source title',
  'title',
  'type',
]);

const knownColumns: ReadonlySet<string> = new Set([
  ...sourceColumns,
  ...targetColumns,
  ...otherColumns,
  ...knownFormats.flatMap((format) => [...format.all, ...(format.any ?? [])]),
]);

/**
 * Normalizes a header cell for comparison: lower case, spaces for underscores, no outer spaces, quotation marks or byte
 * order mark.
 */
export function normalizeHeader(cell: string): string {
  return cell
    .replace(/[\ufeff"]/g, '')
    .replace(/[\s_]+/g, ' ')
    .trim()
    .toLowerCase();
}

/**
 * Returns how many cells are known column names, or 0 if none is a source or target column, because then the row is not
 * a header.
 */
export function countKnownColumns(cells: readonly string[]): number {
  let known = 0;
  let isHeader = false;
  for (const name of new Set(cells.map(normalizeHeader))) {
    if (!knownColumns.has(name)) continue;
    known += 1;
    if (targetColumns.has(name) || sourceColumns.includes(name)) isHeader = true;
  }
  return isHeader ? known : 0;
}

/** Returns the zero-based source column of a known header; undefined if it has only target columns. */
export function findSourceColumn(header: readonly string[]): number | undefined {
  const names = header.map(normalizeHeader);
  for (const wanted of sourceColumns) {
    const column = names.indexOf(wanted);
    if (column >= 0) return column;
  }
  return undefined;
}

/** Returns the tool and report of a header, or the tool 'CSV file' if its columns match no known export. */
export function recognizeFormat(header: readonly string[]): { tool: string; report: string } {
  const names = new Set(header.map(normalizeHeader));
  for (const { tool, report, all, any } of knownFormats) {
    if (!all.every((name) => names.has(name))) continue;
    if (any === undefined || any.some((name) => names.has(name))) return { tool, report };
  }
  const source = normalizeHeader(header[findSourceColumn(header) ?? -1] ?? '');
  const isDomains = /^(site|domain|host|website|(referring|source|linking|root) (domain|site))$/.test(source);
  return { tool: 'CSV file', report: isDomains ? 'List of domains' : 'List of links' };
}
