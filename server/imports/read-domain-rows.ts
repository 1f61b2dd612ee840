import { optionalColumns, requiredColumns } from '#shared/imports.ts';
import { type CsvRecord, cellText } from '../csv/csv-record.ts';
import { detectDialect } from '../csv/dialect.ts';
import { headerOnly, readHead, scanFile } from '../csv/file-bytes.ts';
import { createScanner } from '../csv/scanner.ts';
import { UnreadableFile } from '../csv/unreadable-file.ts';
import { restoreCell } from '../csv/write-csv.ts';
import type { StagedRow } from '../domains/staged-row.ts';
import { parseDomainRow } from './domain-row.ts';

/** A row that is not imported. `reason` is a sentence for people, `value` what stands in its domain column. */
export interface RowFailure {
  line: number;
  value: string;
  reason: string;
}

const COLUMNS = [...requiredColumns, ...optionalColumns] as const;
const DAMAGED_ROW = 'The row is damaged: a quotation mark is never closed, or the row is longer than 64 kB.';
const LONGEST_VALUE = 100;

/**
 * Reads an admin's CSV of domains. Every row after the header comes out once, as a row or as a failure; lines without
 * any text are no rows. Batches have the size of a chunk of the file.
 * @throws UnreadableFile when a required column is missing, a column stands twice or there are no rows; the signal's
 * reason when aborted
 */
export async function* readDomainRows(
  path: string,
  options: {
    signal?: AbortSignal | undefined;
    onProgress?: (bytesRead: number, totalBytes: number) => void;
    /** Bytes read at a time. */
    chunkBytes?: number;
  } = {},
): AsyncGenerator<{ rows: StagedRow[]; failures: RowFailure[] }> {
  const head = await readHead(path);
  const dialect = detectDialect(head, (cells) => {
    const names = cells.map(columnName);
    return requiredColumns.every((column) => names.includes(column)) ? cells.length : 0;
  });
  const header = dialect.header;
  if (header === undefined) {
    throw new UnreadableFile(
      'missing_columns',
      "The file needs a header row with at least the columns 'domain' and 'source'.",
    );
  }
  const present = findColumns(header.cells);

  let rows: StagedRow[] = [];
  let failures: RowFailure[] = [];
  let isEmpty = true;
  const scanner = createScanner({
    delimiter: dialect.delimiter,
    columns: present.map(({ column }) => column),
    onRecord: (record) => {
      if (record.line <= header.line || isBlank(record)) return;
      isEmpty = false;
      const cells: Partial<Record<(typeof COLUMNS)[number], string>> = {};
      for (const [slot, { field }] of present.entries()) cells[field] = restoreCell(cellText(record, slot) ?? '');
      const parsed = parseDomainRow(cells);
      if ('reason' in parsed) failures.push({ line: record.line, value: shown(cells.domain), reason: parsed.reason });
      else rows.push({ line: record.line, ...parsed });
    },
    onMalformed: (line, buffer, start, end) => {
      if (line <= header.line) return;
      isEmpty = false;
      const value = buffer.toString('utf8', start, Math.min(end, start + 2 * LONGEST_VALUE));
      failures.push({ line, value: shown(value), reason: DAMAGED_ROW });
    },
  });
  const { encoding, markBytes } = head;
  for await (const { bytesRead, totalBytes } of scanFile(path, scanner, { ...options, encoding, markBytes })) {
    options.onProgress?.(bytesRead, totalBytes);
    if (rows.length + failures.length === 0) continue;
    yield { rows, failures };
    rows = [];
    failures = [];
  }
  if (isEmpty) throw headerOnly();
}

function findColumns(header: readonly string[]): { field: (typeof COLUMNS)[number]; column: number }[] {
  const names = header.map(columnName);
  return COLUMNS.flatMap((field) => {
    const column = names.indexOf(field.toLowerCase());
    if (column < 0) return [];
    if (names.includes(field.toLowerCase(), column + 1)) {
      throw new UnreadableFile(
        'duplicate_column',
        `The column '${field}' stands in the header twice. Keep one of them.`,
      );
    }
    return [{ field, column }];
  });
}

/** 'Risk Level', 'risk_level' and 'riskLevel' are the same column. */
function columnName(cell: string): string {
  return cell.replace(/[\ufeff"\s_-]+/g, '').toLowerCase();
}

function isBlank(record: CsvRecord): boolean {
  return record.blank || (record.count === 1 && cellText(record, 0)?.trim() === '');
}

function shown(value: string | undefined): string {
  return (value ?? '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST_VALUE);
}
