import type { DetectedFormat } from '#shared/reports.ts';
import { detectDialect, type SampleRecord } from '../csv/dialect.ts';
import type { FileHead } from '../csv/file-bytes.ts';
import { NO_DELIMITER } from '../csv/scanner.ts';
import { UnreadableFile } from '../csv/unreadable-file.ts';
import { normalizeHost } from '../hosts/hosts.ts';
import { countKnownColumns, findSourceColumn, normalizeHeader, recognizeFormat } from './formats.ts';

/** How to read one upload. */
export interface ReadingPlan {
  format: DetectedFormat;
  delimiter: number;
  /** Zero-based column of the linking page. */
  column: number;
  /** Data starts after this line; 0 if the first line is data. */
  headerLine: number;
  /** Whether lines that start with `#` are comments. */
  hasComments: boolean;
}

const ownPagesMessage =
  'This file lists pages of your own website, not the pages that link to it. Export your backlinks or referring domains instead.';
const noAddressesMessage =
  'No column of this file contains website addresses. Export your backlinks or referring domains as CSV and upload that file.';

/**
 * Detects the format of an upload from its start and chooses the column with the linking pages: by the names in the
 * header if it is known, otherwise by content. A target column is never chosen.
 * @param columnName the column to read, instead of a detected one
 * @throws UnreadableFile if the file has only the user's own pages, no addresses, or no column of the given name
 */
export function planReading(head: FileHead, isOwn: (host: string) => boolean, columnName?: string): ReadingPlan {
  if (columnName !== undefined) return planNamedColumn(head, columnName);
  const dialect = detectDialect(head, scoreHeader);
  const details = { delimiter: dialect.delimiterName, encoding: head.encoding };
  if (dialect.header !== undefined) {
    const { cells, line } = dialect.header;
    const { tool, report } = recognizeFormat(cells);
    const column = findSourceColumn(cells);
    if (column === undefined) throw new UnreadableFile('own_pages', ownPagesMessage);
    const format = { tool, report, column: printable(cells[column] ?? ''), ...details };
    return { format, delimiter: dialect.delimiter, column, headerLine: line, hasComments: false };
  }
  const isPlain = dialect.delimiter === NO_DELIMITER;
  const sample = isPlain ? dialect.sample.filter(({ cells }) => cells[0]?.startsWith('#') !== true) : dialect.sample;
  const { column, own } = findColumnByContent(sample, isOwn);
  if (column === undefined) {
    throw own
      ? new UnreadableFile('own_pages', ownPagesMessage)
      : new UnreadableFile('no_addresses', noAddressesMessage);
  }
  const header = findHeaderAbove(sample, column);
  const headerLine = header?.line ?? dialect.separatorLine;
  if (isPlain && header === undefined) {
    const isDisavow = sample.some(({ cells }) => /^\s*domain:/i.test(cells[0] ?? ''));
    const kind = isDisavow
      ? { tool: 'Google', report: 'Disavow file' }
      : { tool: 'Plain list', report: 'One address per line' };
    return {
      format: { ...kind, column: 'every line', ...details },
      delimiter: NO_DELIMITER,
      column: 0,
      headerLine,
      hasComments: true,
    };
  }
  const name = printable(header?.cells[column] ?? '');
  const columnLabel = name === '' ? `column ${column + 1}` : `column ${column + 1} (“${name}”)`;
  const format = {
    tool: 'Unknown tool',
    report: 'Source column chosen by its content',
    column: columnLabel,
    ...details,
  };
  return { format, delimiter: dialect.delimiter, column, headerLine, hasComments: isPlain };
}

function planNamedColumn(head: FileHead, columnName: string): ReadingPlan {
  const isNamed = (cell: string) => normalizeHeader(cell) === normalizeHeader(columnName);
  const dialect = detectDialect(head, (cells) => (cells.some(isNamed) ? 1 + countKnownColumns(cells) : 0));
  if (dialect.header === undefined) {
    throw new UnreadableFile('missing_columns', `This file has no column named “${printable(columnName)}”.`);
  }
  const { cells, line } = dialect.header;
  const column = cells.findIndex(isNamed);
  const details = { delimiter: dialect.delimiterName, encoding: head.encoding };
  const format = { ...recognizeFormat(cells), column: printable(cells[column] ?? ''), ...details };
  return { format, delimiter: dialect.delimiter, column, headerLine: line, hasComments: false };
}

/**
 * Scores a record as a header: the number of known column names, or 0 if it is not a header. Data may contain a word
 * such as `link`, but a header never contains a URL. A line with a single known name and a bare host is metadata such
 * as `Site,mysite.example`.
 */
function scoreHeader(cells: readonly string[]): number {
  const known = countKnownColumns(cells);
  if (known === 0) return 0;
  const highestScore = Math.max(...cells.map(scoreAddress));
  return highestScore === 3 || (highestScore > 0 && known === 1) ? 0 : known;
}

/**
 * Returns the column with the most addresses that are not the user's own. Full URLs score higher than bare hosts, and
 * many different hosts score higher than one repeated host, which indicates a target column.
 */
function findColumnByContent(
  sample: readonly SampleRecord[],
  isOwn: (host: string) => boolean,
): { column: number | undefined; own: boolean } {
  const columns = new Map<number, { weight: number; hosts: Set<string> }>();
  let own = false;
  for (const { cells } of sample) {
    for (const [column, cell] of cells.entries()) {
      const weight = scoreAddress(cell);
      if (weight === 0) continue;
      const host = normalizeHost(cell) ?? '';
      if (isOwn(host)) {
        own = true;
        continue;
      }
      const known = columns.get(column) ?? { weight: 0, hosts: new Set() };
      known.weight += weight;
      known.hosts.add(host);
      columns.set(column, known);
    }
  }
  let best: { column: number; score: number } | undefined;
  for (const [column, { weight, hosts }] of [...columns].sort(([a], [b]) => a - b)) {
    const score = (weight * hosts.size) / (hosts.size + 1);
    if (score > (best?.score ?? 0)) best = { column, score };
  }
  return { column: best?.column, own };
}

/**
 * Returns the last header-like line before the first address of the column: it has text in that column, and no address
 * in any cell.
 */
function findHeaderAbove(sample: readonly SampleRecord[], column: number): SampleRecord | undefined {
  const first = sample.findIndex(({ cells }) => scoreAddress(cells[column] ?? '') > 0);
  for (let i = first - 1; i >= 0; i -= 1) {
    const record = sample[i];
    if (record === undefined || record.line > 11) continue;
    const isHeader = (record.cells[column] ?? '').trim() !== '' && !record.cells.some((cell) => scoreAddress(cell) > 0);
    if (isHeader) return record;
  }
  return undefined;
}

/** Returns 3 for a URL or a `domain:` line, 2 for a bare host, 0 for other text. */
function scoreAddress(cell: string): number {
  if (cell.length < 3 || cell.length > 8192 || normalizeHost(cell) === undefined) return 0;
  return /^\s*(https?:\/\/|domain:)/i.test(cell) ? 3 : 2;
}

function printable(name: string): string {
  return name
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 80);
}
