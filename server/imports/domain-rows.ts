import { riskLevels } from '#shared/domains.ts';
import { optionalColumns, requiredColumns } from '#shared/imports.ts';
import { type CsvRecord, cellText } from '../csv/csv-record.ts';
import { detectDialect } from '../csv/dialect.ts';
import { headerOnlyError, readHead, scanFile } from '../csv/file-bytes.ts';
import { createScanner } from '../csv/scanner.ts';
import { UnreadableFile } from '../csv/unreadable-file.ts';
import { restoreCell } from '../csv/write-csv.ts';
import { listableName } from '../hosts/hosts.ts';
import { costCell, readSources, toSingleLine } from '../sources/sources.ts';
import type { StagedRow } from './merge.ts';

/** A row that is not imported. `value` is the text of its domain column, `reason` a sentence for people. */
export interface RowFailure {
  line: number;
  value: string;
  reason: string;
}

const columns = [...requiredColumns, ...optionalColumns] as const;
type Column = (typeof columns)[number];
/** Raw cells of a row. */
type DomainCells = Partial<Record<Column, string>>;

const damagedRowReason = 'The row is damaged: a quotation mark is never closed, or the row is longer than 64 kB.';
const maxValueLength = 100;

/**
 * Reads an admin's CSV of domains. Every row after the header comes out once, as a row or as a failure, unless it has no text.
 * `share` of the file has been read, 0 to 1.
 * @throws UnreadableFile when a required column is missing, a column occurs twice or there are no rows
 */
export async function* readDomainRows(
  path: string,
  /** Bytes read at a time. */
  chunkBytes?: number,
): AsyncGenerator<{ rows: StagedRow[]; failures: RowFailure[]; share: number }> {
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
  const present = findKnownColumns(header.cells);

  let rows: StagedRow[] = [];
  let failures: RowFailure[] = [];
  let isEmpty = true;
  const scanner = createScanner({
    delimiter: dialect.delimiter,
    columns: present.map(({ column }) => column),
    onRecord: (record) => {
      if (record.line <= header.line || isBlank(record)) return;
      isEmpty = false;
      const cells: DomainCells = {};
      for (const [slot, { field }] of present.entries()) cells[field] = restoreCell(cellText(record, slot) ?? '');
      const parsed = parseDomainRow(cells);
      if ('reason' in parsed)
        failures.push({ line: record.line, value: printable(cells.domain), reason: parsed.reason });
      else rows.push({ line: record.line, ...parsed });
    },
    onMalformed: (line, buffer, start, end) => {
      if (line <= header.line) return;
      isEmpty = false;
      const value = buffer.toString('utf8', start, Math.min(end, start + 2 * maxValueLength));
      failures.push({ line, value: printable(value), reason: damagedRowReason });
    },
  });
  const { encoding, markBytes } = head;
  const options = { encoding, markBytes, ...(chunkBytes && { chunkBytes }) };
  for await (const { bytesRead, totalBytes } of scanFile(path, scanner, options)) {
    if (rows.length + failures.length === 0) continue;
    yield { rows, failures, share: bytesRead / totalBytes };
    rows = [];
    failures = [];
  }
  if (isEmpty) throw headerOnlyError();
}

function findKnownColumns(header: readonly string[]): { field: Column; column: number }[] {
  const names = header.map(columnName);
  return columns.flatMap((field) => {
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

function printable(value: string | undefined): string {
  return (value ?? '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxValueLength);
}

const trim = (text: string) => text.trim();
/** Cells of free text, with their names for people. */
const textCells = [
  { field: 'description', words: 'description', maxLength: 5000, read: trim },
  { field: 'sourceDetails', words: 'source details', maxLength: 5000, read: trim },
  { field: 'notes', words: 'notes', maxLength: 5000, read: trim },
  { field: 'niche', words: 'niche', maxLength: 100, read: toSingleLine },
  { field: 'cost', words: 'cost', maxLength: 100, read: costCell },
] as const;
const maxDomainLength = 253;
const maxOutboundLinks = 2 ** 31 - 1;

/** Checks the cells of one row. `reason` is a sentence that says what to correct. */
export function parseDomainRow(cells: DomainCells): Omit<StagedRow, 'line'> | { reason: string } {
  for (const text of Object.values(cells)) {
    if (text?.includes('\0') === true) return { reason: 'The row contains a NUL character.' };
  }
  const domain = (cells.domain ?? '').trim();
  const listed = listableName(domain);
  if ('reason' in listed) {
    return domain.length > maxDomainLength
      ? { reason: `The domain is longer than ${maxDomainLength} characters.` }
      : listed;
  }
  const read = readSources(cells.source ?? '');
  if ('reason' in read) return read;
  const row: Omit<StagedRow, 'line'> = { ...listed, source: read.sources };

  for (const { field, words, maxLength, read: readText } of textCells) {
    const text = readText(cells[field] ?? '');
    if (text.length > maxLength) return { reason: `The ${words} cell is longer than ${maxLength} characters.` };
    if (text !== '') row[field] = text;
  }

  const level = (cells.riskLevel ?? '')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
  if (level !== '') {
    const riskLevel = riskLevels.find((one) => one === level);
    if (riskLevel === undefined) return { reason: `The risk level is not one of ${riskLevels.join(', ')}.` };
    row.riskLevel = riskLevel;
  }

  const rating = (cells.domainRating ?? '').trim();
  if (rating !== '') {
    const value = /^\d{1,3}([.,]\d{1,10})?$/.test(rating) ? Number(rating.replace(',', '.')) : Number.NaN;
    if (!(value >= 0 && value <= 100)) return { reason: 'The domain rating is not a number between 0 and 100.' };
    row.domainRating = Math.round(value);
  }

  const links = (cells.outboundLinks ?? '').trim();
  if (links !== '') {
    const value = /^\d{1,3}(,\d{3}){1,3}$|^\d{1,10}$/.test(links) ? Number(links.replaceAll(',', '')) : Number.NaN;
    if (!(value <= maxOutboundLinks)) return { reason: 'The number of outbound links is not a whole number.' };
    row.outboundLinks = value;
  }
  return row;
}
