import { type CsvRecord, cellText } from '../../../platform/csv/csv-record.ts';
import { detectDialect, type SampleRecord } from '../../../platform/csv/dialect.ts';
import type { FileHead } from '../../../platform/csv/file-bytes.ts';
import { createScanner } from '../../../platform/csv/scanner.ts';
import { restoreCell } from '../../../platform/csv/write-csv.ts';
import { type Entry, isName, toEntry } from './entry.ts';
import { rankNameField } from './name-fields.ts';
import type { ByteScanner } from './scan-lines.ts';

export interface CsvColumn {
  delimiter: number;
  /** Zero-based. */
  column: number;
  /** Lines up to this one are not rows: 0 without a header. */
  headerLine: number;
}

/**
 * Finds the column of domains: one that is named after domains and mostly contains addresses, otherwise the first one
 * with mostly domains, otherwise with mostly addresses. Returns undefined if there is none.
 */
export function findCsvColumn(head: Pick<FileHead, 'bytes' | 'complete' | 'delimiter'>): CsvColumn | undefined {
  const { delimiter, header, sample, separatorLine } = detectDialect(head, scoreHeader);
  const headerLine = header?.line ?? separatorLine;
  const rows = sample.filter((record) => record.line > headerLine && !isComment(record));
  const width = Math.max(header?.cells.length ?? 0, ...rows.map(({ cells }) => cells.length));
  const columns = Array.from({ length: width }, (_, column) => ({
    column,
    rank: rankNameField(header?.cells[column] ?? ''),
    ...measureColumn(rows, column),
  }));
  const named = columns.filter(({ rank }) => rank >= 0).sort((a, b) => a.rank - b.rank);
  const chosen =
    named.find(({ addresses }) => addresses >= 0.5) ??
    columns.find(({ names }) => names >= 0.5) ??
    columns.find(({ addresses }) => addresses >= 0.5) ??
    named.find(({ addresses }) => addresses > 0 || rows.length === 0);
  return chosen && { delimiter, column: chosen.column, headerLine };
}

/** A comment that is a header has at least two cells; one with a single word is the title of a list of names. */
function scoreHeader(cells: readonly string[]): number {
  if (cells.length === 1 && (cells[0] ?? '').trim().startsWith('#')) return 0;
  return cells.some((cell) => rankNameField(cell) >= 0) ? cells.length : 0;
}

const isComment = ({ cells }: SampleRecord) => cells[0]?.trim().startsWith('#') === true;

/** Returns the shares of rows whose cell is a domain, and is any address of a site. */
function measureColumn(rows: readonly SampleRecord[], column: number) {
  let names = 0;
  let addresses = 0;
  for (const { cells } of rows) {
    const entry = toEntry(restoreCell(cells[column] ?? ''));
    if (isName(entry)) names += 1;
    if (isName(entry) || entry === 'path' || entry === 'shared' || entry === 'wildcard') addresses += 1;
  }
  return { names: names / rows.length, addresses: addresses / rows.length };
}

/** Creates a scanner that passes the entry of each row to `add`. Blank rows and comments are skipped. */
export function createCsvScanner(
  { delimiter, column, headerLine }: CsvColumn,
  add: (entry: Entry) => void,
): ByteScanner {
  return createScanner({
    delimiter,
    // The second one tells a row without a domain from a blank one.
    columns: [0, Math.max(1, column)],
    onRecord: (record) => {
      if (record.line <= headerLine || isBlank(record)) return;
      if (cellText(record, 0)?.trim().startsWith('#') === true) return;
      add(toEntry(restoreCell(cellText(record, column === 0 ? 0 : 1) ?? '')));
    },
    onMalformed: (line) => {
      if (line > headerLine) add('invalid');
    },
  });
}

function isBlank(record: CsvRecord): boolean {
  return record.blank || (record.count === 1 && cellText(record, 0)?.trim() === '');
}
