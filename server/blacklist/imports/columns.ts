import {
  type ImportField,
  type ImportMapping,
  type ImportPreview,
  importFields,
  type ReadingOptions,
} from '#shared/blacklist/import-preview.ts';
import { requiredColumns } from '#shared/blacklist/imports.ts';
import { isPageAddress, normalizeHost } from '../../hostnames/hosts/hosts.ts';
import { isRuleLine, readListLine } from '../../hostnames/links/list-lines.ts';
import { splitComment } from '../../hostnames/links/list-marks.ts';
import {
  addFact,
  areListedNames,
  areVerdicts,
  foreignNameFields,
  isAboutOtherSites,
  isVerdictField,
  type NameFacts,
  noFacts,
  toFieldName,
} from '../../hostnames/links/name-fields.ts';
import { type Dialect, detectDialect, type SampleRecord } from '../../platform/csv/dialect.ts';
import type { FileHead } from '../../platform/csv/file-bytes.ts';
import { toShownText } from '../../platform/csv/linked-cell.ts';
import { NO_DELIMITER } from '../../platform/csv/scanner.ts';
import { UnreadableFile } from '../../platform/csv/unreadable-file.ts';
import type { ProcessContext } from '../../platform/processes/run-in-process.ts';
import { openTables } from './open-tables.ts';
import { parseDomainRow, printable, readCell } from './parse-row.ts';

/** How to read the rows of one file. */
interface ReadingPlan {
  delimiter: number;
  /** The rows start on the line after this one. */
  headerLine: number;
  columns: readonly MappedColumn[];
  /** Columns whose cells are rows of their own, beside that of the domain. */
  moreDomains: readonly number[];
  /** Lines up to `headerLine` that are rows nevertheless, because they contain domains. */
  rowsAbove: ReadonlySet<number>;
  /** How other columns with domains, which are not read, are called in messages. */
  unread: readonly string[];
  /** Other columns that tell which rows are not listed. */
  verdicts: readonly { column: number; name: string }[];
  /** Whether lines that start with `#` are comments. */
  hasComments: boolean;
}

interface MappedColumn {
  field: ImportField;
  column: number;
}

/**
 * Decides how to read a file: by the mapping, else by a guess if rows have a default source, else by a header with the
 * required columns.
 * @throws UnreadableFile if a required column is missing or a known one occurs twice
 */
export function planReading(head: FileHead, { mapping, defaultSource }: ReadingOptions): ReadingPlan {
  const dialect = detect(head);
  const { delimiter, header } = dialect;
  const chosen = mapping ?? (defaultSource === undefined ? undefined : guessMapping(dialect));
  if (chosen?.columns.domain !== undefined) {
    const { headerLine, moreDomains = [] } = chosen;
    const plan = { delimiter, headerLine, columns: toColumns(chosen), moreDomains, hasComments: true };
    return { ...plan, ...describeRest(dialect, plan) };
  }
  if (!chosen && header && hasRequiredColumns(header.cells)) {
    const columns = findKnownColumns(header.cells);
    const plan = { delimiter, headerLine: header.line, columns, moreDomains: [], hasComments: false };
    return { ...plan, ...describeRest(dialect, plan) };
  }
  throw new UnreadableFile(
    'missing_columns',
    chosen
      ? 'No column of the file contains domains.'
      : "The file needs a header row with at least the columns 'domain' and 'source'.",
  );
}

/** Finds what would be lost without a word: rows above the header, and domains in columns that are not read. */
function describeRest(
  { header, sample }: Dialect,
  { headerLine, columns, moreDomains }: Pick<ReadingPlan, 'headerLine' | 'columns' | 'moreDomains'>,
): Pick<ReadingPlan, 'rowsAbove' | 'unread' | 'verdicts'> {
  const above = sample.filter(({ line, cells }) => line < headerLine && isData(cells) && cells.some(isHost));
  const rows = sample.filter(({ line, cells }) => line > headerLine && isData(cells));
  const read = new Set([...columns.map(({ column }) => column), ...moreDomains]);
  const names =
    header?.line === headerLine ? header.cells : (sample.find(({ line }) => line === headerLine)?.cells ?? []);
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const others = Array.from({ length: width }, (_, column) => column).filter((column) => !read.has(column));
  return {
    rowsAbove: new Set(above.map(({ line }) => line)),
    unread: others
      .filter((column) => containsDomains(measureColumn(rows, column)))
      .map((column) => printable(names[column]) || `column ${column + 1}`),
    verdicts: others
      .map((column) => ({
        column,
        name:
          printable(names[column]) ||
          (areVerdicts(rows.map(({ cells }) => (cells[column] ?? '').trim())) ? 'action' : ''),
      }))
      .filter(({ name }) => isVerdictField(name)),
  };
}

/** Columns and rows of a preview. A file can have thousands of columns. */
const maxShownColumns = 40;
const maxShownRows = 5;

interface PreviewTask {
  path: string;
  fileName: string;
  /** For unpacked copies, which are removed at the end. */
  folder: string;
}

/**
 * Previews the start of a file, in an archive or a workbook of the table that is read first. Runs in a process of its
 * own, because files of others can take long.
 */
export async function previewFile(_context: ProcessContext<never>, task: PreviewTask): Promise<ImportPreview> {
  await using tables = await openTables(task);
  const [first] = tables.readable;
  if (!first) throw tables.problem ?? new UnreadableFile('no_rows', 'The file has no rows.');
  return previewColumns(first.head);
}

/** Returns the first rows of a file and what its columns are most likely read as. */
export function previewColumns(head: FileHead): ImportPreview {
  const { dialect, mapping } = guessColumns(head);
  const sample = dialect.sample.filter(({ line, cells }) => line >= mapping.headerLine && isData(cells));
  const rows = sample.slice(0, maxShownRows + (mapping.headerLine > 0 ? 1 : 0));
  const mapped = new Set([...Object.values(mapping.columns), ...(mapping.moreDomains ?? [])]);
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const others = Array.from({ length: width }, (_, column) => column).filter((column) => !mapped.has(column));
  const columns = [...mapped, ...others.slice(0, Math.max(0, maxShownColumns - mapped.size))].sort((a, b) => a - b);
  return {
    mapping,
    columns,
    rows: rows.map(({ line, cells }) => ({
      line,
      cells: columns.map((column) => printable(toShownText(cells[column] ?? ''))),
    })),
  };
}

/** Returns the dialect of a table, and what its columns are most likely read as, by their names or their content. */
export function guessColumns(head: FileHead): { dialect: Dialect; mapping: ImportMapping } {
  const dialect = detect(head);
  return { dialect, mapping: guessMapping(dialect) };
}

/** Detects the delimiter and the header: one with the required columns, else one with other names of known columns. */
function detect(head: FileHead): Dialect {
  const dialect = detectDialect(head, (cells) => (hasRequiredColumns(cells) ? cells.length : 0));
  return dialect.header ? dialect : readRulesAsLines(detectDialect(head, scoreHeader));
}

/** A list of rules such as `DOMAIN-SUFFIX,example.com,DIRECT` has one column, because the whole line has a meaning. */
function readRulesAsLines(dialect: Dialect): Dialect {
  const delimiter = String.fromCharCode(dialect.delimiter);
  const lines = dialect.sample.map(({ line, cells }) => ({ line, cells: [cells.join(delimiter)] }));
  const data = lines.filter(({ cells }) => isData(cells));
  const rules = data.filter(({ cells }) => isRuleLine(splitComment(cells[0] ?? '').text));
  if (dialect.delimiter === NO_DELIMITER || rules.length * 2 < data.length || rules.length === 0) return dialect;
  return { ...dialect, delimiter: NO_DELIMITER, delimiterName: 'none', header: undefined, sample: lines };
}

function hasRequiredColumns(header: readonly string[]): boolean {
  const names = header.map(normalizeColumn);
  return requiredColumns.every((column) => names.includes(column));
}

function findKnownColumns(header: readonly string[]): MappedColumn[] {
  const names = header.map(normalizeColumn);
  return importFields.flatMap((field) => {
    const column = names.indexOf(field.toLowerCase());
    if (column < 0) return [];
    if (names.includes(field.toLowerCase(), column + 1)) {
      throw new UnreadableFile(
        'duplicate_column',
        field === 'cost'
          ? "The columns 'cost' and 'price' have the same meaning. Keep only one of them."
          : `The column '${field}' appears twice in the header. Keep only one of them.`,
      );
    }
    return [{ field, column }];
  });
}

/**
 * Normalizes a header cell: 'Risk Level', 'risk_level' and 'riskLevel' are the same column, and so are price and cost.
 */
function normalizeColumn(cell: string): string {
  const name = cell.replace(/[\ufeff"\s_-]+/g, '').toLowerCase();
  return name === 'price' ? 'cost' : name;
}

const toColumns = ({ columns }: ImportMapping): MappedColumn[] =>
  importFields.flatMap((field) => {
    const column = columns[field];
    return column === undefined ? [] : [{ field, column }];
  });

/**
 * Names of columns in price lists of marketplaces and in exports of SEO tools, best first, as `toPlainName` returns
 * them.
 */
const otherNames: Record<ImportField, readonly string[]> = {
  domain: [
    'domain',
    'domains',
    'domainname',
    'rootdomain',
    'website',
    'websiteurl',
    'websitename',
    'site',
    'siteurl',
    'sitename',
    'host',
    'hostname',
    'url',
    'link',
    'blog',
    'publisher',
    'referringdomain',
    'linkingdomain',
    'websites',
    'sites',
    'urls',
    'hosts',
    'links',
    'blogs',
    // So that the first line of a list is known to be its header.
    ...foreignNameFields,
  ],
  source: [
    'source',
    'sources',
    'marketplace',
    'marketplaces',
    'seller',
    'sellername',
    'vendor',
    'provider',
    'supplier',
    'platform',
    'network',
    'agency',
    'broker',
    'foundon',
    'listedon',
    // In other languages
    ...['quelle', 'quellen', 'marktplatz', 'marktplätze', 'verkäufer', 'anbieter', 'plattform', 'fuente', 'mercado'],
    ...['vendedor', 'proveedor', 'plataforma', 'fonte', 'mercato', 'venditore', 'fornitore', 'piattaforma'],
    ...['vendeur', 'fournisseur', 'plateforme', 'источник', 'продавец', 'площадка', 'биржа', 'źródło', 'sprzedawca'],
    ...['platforma', 'verkoper', 'leverancier', 'kaynak', 'satıcı'],
  ],
  description: ['description', 'about', 'summary', 'sitedescription'],
  riskLevel: ['risklevel', 'risk'],
  sourceDetails: ['sourcedetails', 'listingid', 'offerid', 'sellerid'],
  notes: ['notes', 'note', 'comment', 'comments', 'remark', 'remarks'],
  niche: [
    'niche',
    'niches',
    'category',
    'categories',
    'maincategory',
    'topic',
    'topics',
    'industry',
    'vertical',
    'theme',
  ],
  domainRating: [
    'domainrating',
    'dr',
    'ahrefsdr',
    'drahrefs',
    'domainauthority',
    'da',
    'mozda',
    'damoz',
    'authority',
    'authorityscore',
    'as',
  ],
  outboundLinks: ['outboundlinks', 'outgoinglinks', 'externallinks', 'obl'],
  cost: [
    'cost',
    'price',
    'prices',
    'priceusd',
    'priceeur',
    'pricegbp',
    'usd',
    'eur',
    'guestpostprice',
    'guestpost',
    'postprice',
    'linkprice',
    'linkinsertionprice',
    'publishingprice',
    'contentplacementprice',
    'rate',
    'fee',
    'amount',
  ],
  evidenceUrl: ['evidenceurl', 'evidence', 'proofurl', 'proof', 'offerurl', 'listingurl', 'gigurl'],
  sourceKind: ['sourcekind', 'sourcetype'],
};

/** Removes everything but letters and digits, and units in parentheses: 'Price (USD)' and 'price, $' become 'price'. */
const toPlainName = (cell: string): string => toFieldName(cell.replace(/\([^)]*\)/g, ''));

/**
 * Scores a record as a header: the number of known names, or 0 if it is not a header. A header contains no hosts, and
 * names the domains or at least two other columns.
 */
function scoreHeader(cells: readonly string[]): number {
  if (cells.some(isHost)) return 0;
  const names = new Set(cells.map(toPlainName));
  const known = importFields.filter((field) => otherNames[field].some((name) => names.has(name)));
  return known.includes('domain') || known.length > 1 ? known.length : 0;
}

/** Returns the most likely mapping of a file. Without a column of hosts, it has no column for the domains. */
function guessMapping({ header, sample, separatorLine }: Dialect): ImportMapping {
  const records = sample.filter(
    ({ line, cells }) => isData(cells) && line !== header?.line && (line > (header?.line ?? 0) || cells.some(isHost)),
  );
  const domain = findDomainColumn(header?.cells ?? [], records);
  const first = header ?? findHeaderAbove(records, domain);
  const rows = records.filter(({ line }) => line > (first?.line ?? 0));
  const columns: ImportMapping['columns'] = {};
  if (domain !== undefined) columns.domain = domain;
  const more = domain === undefined ? [] : findMoreDomains(first?.cells ?? [], rows, domain);
  for (const field of importFields) {
    if (field === 'domain' || !first) continue;
    const column = rankColumns(field, first.cells).find(
      (one) =>
        !Object.values(columns).includes(one) &&
        !more.includes(one) &&
        (isExactName(field, first.cells[one]) || isReadable(field, one, rows)),
    );
    if (column !== undefined) columns[field] = column;
  }
  return {
    headerLine: first?.line ?? separatorLine,
    columns,
    ...(more.length > 0 && { moreDomains: more }),
  };
}

/**
 * Finds the column of domains: the one with the best name if at least half of its cells are hosts, else the one with
 * the most hosts. In a list of one column, a single host is enough: the other lines are rejected rows.
 */
function findDomainColumn(header: readonly string[], records: readonly SampleRecord[]): number | undefined {
  const width = Math.max(header.length, ...records.map(({ cells }) => cells.length));
  const facts = Array.from({ length: width }, (_, column) => measureColumn(records, column));
  const isMostlyHosts = (column: number) => {
    const { values, addresses } = facts[column] ?? noFacts();
    return addresses > 0 && addresses * 2 >= values;
  };
  const named = rankColumns('domain', header);
  const best = named.find(isMostlyHosts);
  if (best !== undefined) return best;
  const counts = facts.map(({ addresses }) => addresses);
  const most = counts.indexOf(Math.max(1, ...counts));
  if (isMostlyHosts(most)) return most;
  return named[0] ?? (width === 1 && most === 0 ? most : undefined);
}

/**
 * Finds the other columns of domains, such as one for each country: those with the same name and a number, or all
 * if no column is named after domains. Columns about other sites are not among them.
 */
function findMoreDomains(header: readonly string[], rows: readonly SampleRecord[], domain: number): number[] {
  // With a text in parentheses: `Domain (old)` is about other sites than `Domain`.
  const toBaseName = (column: number) => toFieldName(header[column] ?? '').replace(/\d{1,3}$/, '');
  const isNamed = otherNames.domain.includes(toBaseName(domain));
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  return Array.from({ length: width }, (_, column) => column).filter(
    (column) =>
      column !== domain &&
      (isNamed ? toBaseName(column) === toBaseName(domain) : !isOtherField(header[column] ?? '')) &&
      containsDomains(measureColumn(rows, column)) &&
      areListedNames(measureColumn(rows, column)),
  );
}

const isOtherField = (cell: string): boolean =>
  isAboutOtherSites(cell) ||
  importFields.some((field) => field !== 'domain' && otherNames[field].includes(toPlainName(cell)));

/** Counts the cells of a column that are hosts, and as names those that are no addresses of pages. */
function measureColumn(records: readonly SampleRecord[], column: number): NameFacts {
  const facts = noFacts();
  for (const { cells } of records) {
    const cell = cells[column] ?? '';
    const host = findHost(cell);
    if (cell.trim() !== '')
      addFact(facts, host && !isPageAddress(readCell('domain', cell)) ? host : undefined, host !== undefined);
  }
  return facts;
}

const containsDomains = ({ names, values }: NameFacts): boolean => names > 0 && names * 2 >= values;

/**
 * The first record is a header with unknown names if it has no text that was meant to be a host, and one of its names
 * is known, or all are above columns of domains. Any other word can be a damaged row, which must not disappear.
 */
function findHeaderAbove(records: readonly SampleRecord[], domain: number | undefined): SampleRecord | undefined {
  const [first, ...others] = records;
  if (!first || domain === undefined || others.length === 0) return undefined;
  if (looksLikeEntry(first.cells[domain] ?? '')) return undefined;
  const isKnown = first.cells.some((cell) => importFields.some((field) => rankColumns(field, [cell]).length > 0));
  const isHeader =
    isKnown ||
    (first.cells.length > 1 && first.cells.every((_, column) => containsDomains(measureColumn(others, column))));
  return isHeader ? first : undefined;
}

/** Whether a cell was meant to be a name or an address, such as `spam,com`, `me@spam.com` or `192.0.2.1`. */
function looksLikeEntry(cell: string): boolean {
  const text = cell.trim();
  return (
    isHost(text) || /^(?:domain\s*[:=]|https?\b)/i.test(text) || /^\S*[\p{L}\p{N}][.,@;:]+[\p{L}\p{N}]\S*$/u.test(text)
  );
}

/** Returns the columns whose names stand for a field, best first. */
function rankColumns(field: ImportField, header: readonly string[]): number[] {
  const ranked = header.flatMap((cell, column) => {
    const rank = otherNames[field].indexOf(toPlainName(cell));
    return rank < 0 ? [] : [{ column, rank }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ column }) => column);
}

const isExactName = (field: ImportField, cell = '') => normalizeColumn(cell) === field.toLowerCase();

/** Whether no cell of a column would reject its row. */
function isReadable(field: ImportField, column: number, rows: readonly SampleRecord[]): boolean {
  return rows.every(({ cells }) => {
    const cell = readCell(field, cells[column] ?? '');
    return (
      cell.trim() === '' || !('reason' in parseDomainRow(1, { domain: 'example.com', source: 'x', [field]: cell }))
    );
  });
}

/** The first host in a cell, as `readListLine` reads it. */
function findHost(cell: string): string | undefined {
  for (const entry of readListLine(readCell('domain', cell))) {
    const host = 'text' in entry ? normalizeHost(entry.text) : undefined;
    if (host !== undefined) return host;
  }
  return undefined;
}

const isHost = (cell: string): boolean => findHost(cell) !== undefined;
const isData = (cells: readonly string[]): boolean =>
  cells.some((cell) => cell.trim() !== '') && cells[0]?.trimStart().startsWith('#') !== true;
