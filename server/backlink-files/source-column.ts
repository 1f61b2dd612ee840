import type { RecognisedFormat } from '#shared/reports.ts';
import { detectDialect, type SampleRecord } from '../csv/dialect.ts';
import type { FileHead } from '../csv/file-bytes.ts';
import { NO_DELIMITER } from '../csv/scanner.ts';
import { UnreadableFile } from '../csv/unreadable-file.ts';
import { normalizeHost } from '../hosts/hosts.ts';
import { countKnownColumns, findSourceColumn, normalizeHeader, recognizeFormat } from './formats.ts';

/** How to read one upload. */
export interface ReadingPlan {
  format: RecognisedFormat;
  delimiter: number;
  /** Zero-based column of the linking page. */
  column: number;
  /** Data begins after this line; 0 when the first line is data. */
  headerLine: number;
  /** Lines that begin with `#` are comments. */
  hasComments: boolean;
}

const ownPagesMessage =
  'This file lists pages of your own website, not the pages that link to it. Export the backlinks or the referring domains instead.';
const noAddressesMessage =
  'No column of this file holds addresses of websites. Export the backlinks or the referring domains as CSV and upload that file.';

/**
 * Recognises an upload from its beginning and chooses the column of the linking pages: by the header's names where one
 * is known, else by content. A target column is never taken.
 * @param told name of the column that shall be read, whatever it is
 * @throws UnreadableFile when the file has the user's own pages only, no addresses at all, or not the column that was told
 */
export function planReading(head: FileHead, isOwn: (host: string) => boolean, told?: string): ReadingPlan {
  if (told !== undefined) return planNamedColumn(head, told);
  const dialect = detectDialect(head, scoreHeader);
  const words = { delimiter: dialect.delimiterName, encoding: head.encoding };
  if (dialect.header !== undefined) {
    const { cells, line } = dialect.header;
    const { tool, report } = recognizeFormat(cells);
    const column = findSourceColumn(cells);
    if (column === undefined) throw new UnreadableFile('own_pages', ownPagesMessage);
    const format = { tool, report, column: printable(cells[column] ?? ''), ...words };
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
      : { tool: 'Plain list', report: 'One address a line' };
    return {
      format: { ...kind, column: 'every line', ...words },
      delimiter: NO_DELIMITER,
      column: 0,
      headerLine,
      hasComments: true,
    };
  }
  const name = printable(header?.cells[column] ?? '');
  const columnLabel = name === '' ? `column ${column + 1}` : `column ${column + 1} (“${name}”)`;
  const format = { tool: 'Unknown tool', report: 'Source column chosen by its content', column: columnLabel, ...words };
  return { format, delimiter: dialect.delimiter, column, headerLine, hasComments: isPlain };
}

function planNamedColumn(head: FileHead, told: string): ReadingPlan {
  const isTold = (cell: string) => normalizeHeader(cell) === normalizeHeader(told);
  const dialect = detectDialect(head, (cells) => (cells.some(isTold) ? 1 + countKnownColumns(cells) : 0));
  if (dialect.header === undefined) {
    throw new UnreadableFile('missing_columns', `No column of this file is called “${printable(told)}”.`);
  }
  const { cells, line } = dialect.header;
  const column = cells.findIndex(isTold);
  const words = { delimiter: dialect.delimiterName, encoding: head.encoding };
  const format = { ...recognizeFormat(cells), column: printable(cells[column] ?? ''), ...words };
  return { format, delimiter: dialect.delimiter, column, headerLine: line, hasComments: false };
}

/**
 * A header never holds a URL, though a word such as `link` may stand in data. A line with a single known name may be
 * metadata such as `Site,mysite.example`: then an address beside it gives it away.
 */
function scoreHeader(cells: readonly string[]): number {
  const known = countKnownColumns(cells);
  if (known === 0) return 0;
  const highestScore = Math.max(...cells.map(scoreAddress));
  return highestScore === 3 || (highestScore > 0 && known === 1) ? 0 : known;
}

/**
 * The column with most addresses that are not the user's own. Full URLs count more than bare hosts, and different hosts
 * more than one host again and again, which is what a target column holds.
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

/** The last line before the first address of the column, when it is a heading: cells, but no address in any of them. */
function findHeaderAbove(sample: readonly SampleRecord[], column: number): SampleRecord | undefined {
  const first = sample.findIndex(({ cells }) => scoreAddress(cells[column] ?? '') > 0);
  for (let i = first - 1; i >= 0; i -= 1) {
    const record = sample[i];
    if (record === undefined || record.line > 11) continue;
    const isHeading =
      (record.cells[column] ?? '').trim() !== '' && !record.cells.some((cell) => scoreAddress(cell) > 0);
    if (isHeading) return record;
  }
  return undefined;
}

/** 3 for a URL or a `domain:` line, 2 for a bare host, 0 for other text. */
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
