import type { ReadingOptions } from '#shared/blacklist/import-preview.ts';
import { type CsvRecord, cellText } from '../../platform/csv/csv-record.ts';
import { headerOnlyError, readHead, scanFile } from '../../platform/csv/file-bytes.ts';
import { createScanner } from '../../platform/csv/scanner.ts';
import { UnreadableFile } from '../../platform/csv/unreadable-file.ts';
import { restoreCell } from '../../platform/csv/write-csv.ts';
import { planReading } from './columns.ts';
import type { FileRow } from './file-row.ts';
import { parseDomainRow, printable, type RawCells } from './parse-row.ts';

/**
 * A row that is not imported. `value` is the text of its domain column, `reason` a sentence that says what to correct.
 */
export interface RowFailure {
  line: number;
  value: string;
  reason: string;
}

const damagedRowReason = 'The row cannot be read: close its open quotation mark, or shorten it to 64 kB.';
const damagedRowBytes = 200;

/**
 * Reads an admin's file of domains in batches. Every row after the header is yielded once, as a row or as a failure;
 * blank rows and comments are skipped. `share` is the share of the file that has been read, 0 to 1.
 * @param options how to read the file, and the bytes read at a time
 * @throws UnreadableFile if a required column is missing, a column occurs twice or there are no rows
 */
export async function* readDomainRows(
  path: string,
  options: ReadingOptions & { chunkBytes?: number | undefined } = {},
): AsyncGenerator<{ rows: FileRow[]; failures: RowFailure[]; share: number }> {
  const head = await readHead(path);
  const { defaultSource, defaultKind = '', chunkBytes } = options;
  const { delimiter, headerLine, columns, hasComments } = planReading(head, options);

  const fields = columns.map(({ field }) => field);
  let rows: FileRow[] = [];
  let failures: RowFailure[] = [];
  let isEmpty = true;
  const scanner = createScanner({
    delimiter,
    columns: columns.map(({ column }) => column),
    onRecord: (record) => {
      if (record.line <= headerLine || isBlank(record)) return;
      const cells: RawCells = {};
      fields.forEach((field, slot) => {
        cells[field] = restoreCell(cellText(record, slot) ?? '');
      });
      if (hasComments && cells.domain?.trimStart().startsWith('#')) return;
      isEmpty = false;
      if (defaultSource !== undefined && !cells.source?.trim()) {
        cells.source = defaultSource;
        cells.sourceKind ||= defaultKind;
      }
      const parsed = parseDomainRow(record.line, cells);
      if ('reason' in parsed)
        failures.push({ line: record.line, value: printable(cells.domain), reason: parsed.reason });
      else rows.push(parsed);
    },
    onMalformed: (line, buffer, start, end) => {
      if (line <= headerLine) return;
      isEmpty = false;
      const value = buffer.toString('utf8', start, Math.min(end, start + damagedRowBytes));
      failures.push({ line, value: printable(value), reason: damagedRowReason });
    },
  });
  const { encoding, markBytes } = head;
  for await (const { bytesRead, totalBytes } of scanFile(path, scanner, {
    encoding,
    markBytes,
    ...(chunkBytes && { chunkBytes }),
  })) {
    if (rows.length + failures.length === 0) continue;
    yield { rows, failures, share: bytesRead / totalBytes };
    rows = [];
    failures = [];
  }
  if (isEmpty) throw headerLine > 0 ? headerOnlyError() : new UnreadableFile('no_rows', 'The file has no rows.');
}

function isBlank(record: CsvRecord): boolean {
  return record.blank || (record.count === 1 && cellText(record, 0)?.trim() === '');
}
