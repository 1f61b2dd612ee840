import { sourceKinds } from '#shared/choices.ts';
import { riskLevels } from '#shared/domains.ts';
import { optionalColumns, requiredColumns } from '#shared/imports.ts';
import { type CsvRecord, cellText } from '../csv/csv-record.ts';
import { detectDialect } from '../csv/dialect.ts';
import { headerOnlyError, readHead, scanFile } from '../csv/file-bytes.ts';
import { createScanner } from '../csv/scanner.ts';
import { UnreadableFile } from '../csv/unreadable-file.ts';
import { restoreCell } from '../csv/write-csv.ts';
import { isPageAddress, listableName } from '../hosts/hosts.ts';
import { readSources, toSingleLine, toStoredCost } from '../sources/sources.ts';
import type { FileRow } from './merge.ts';

/**
 * A row that is not imported. `value` is the text of its domain column, `reason` a sentence that says what to correct.
 */
export interface RowFailure {
  line: number;
  value: string;
  reason: string;
}

const columns = [...requiredColumns, ...optionalColumns] as const;
type Column = (typeof columns)[number];
/** Raw cells of a row. */
type RawCells = Partial<Record<Column, string>>;

const damagedRowReason = 'The row cannot be read: close its open quotation mark, or shorten it to 64 kB.';
const maxValueLength = 100;

/**
 * Reads an admin's CSV file of domains in batches. Every row after the header is yielded once, as a row or as a
 * failure; blank rows are skipped. `share` is the share of the file that has been read, 0 to 1.
 * @throws UnreadableFile if a required column is missing, a column occurs twice or there are no rows
 */
export async function* readDomainRows(
  path: string,
  /** Bytes read at a time. */
  chunkBytes?: number,
): AsyncGenerator<{ rows: FileRow[]; failures: RowFailure[]; share: number }> {
  const head = await readHead(path);
  const dialect = detectDialect(head, (cells) => {
    const names = cells.map(normalizeColumn);
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

  let rows: FileRow[] = [];
  let failures: RowFailure[] = [];
  let isEmpty = true;
  const scanner = createScanner({
    delimiter: dialect.delimiter,
    columns: present.map(({ column }) => column),
    onRecord: (record) => {
      if (record.line <= header.line || isBlank(record)) return;
      isEmpty = false;
      const cells: RawCells = {};
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
  const names = header.map(normalizeColumn);
  return columns.flatMap((field) => {
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

/** Normalizes a header cell: 'Risk Level', 'risk_level' and 'riskLevel' are the same column, and so are price and cost. */
function normalizeColumn(cell: string): string {
  const name = cell.replace(/[\ufeff"\s_-]+/g, '').toLowerCase();
  return name === 'price' ? 'cost' : name;
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
/** Columns of free text, with their names in error messages. */
const textCells = [
  { field: 'description', label: 'description', maxLength: 5000, read: trim },
  { field: 'sourceDetails', label: 'source details', maxLength: 5000, read: trim },
  { field: 'notes', label: 'notes', maxLength: 5000, read: trim },
  { field: 'niche', label: 'niche', maxLength: 100, read: toSingleLine },
  { field: 'cost', label: 'cost', maxLength: 100, read: toStoredCost },
] as const;
const maxDomainLength = 253;
const maxEvidenceUrlLength = 2000;
const maxOutboundLinks = 2 ** 31 - 1;

/** Parses the cells of one row, or returns a sentence that says what to correct. */
export function parseDomainRow(cells: RawCells): Omit<FileRow, 'line'> | { reason: string } {
  for (const text of Object.values(cells)) {
    if (text?.includes('\0') === true) return { reason: 'The row contains a NUL character: remove it.' };
  }
  const domain = (cells.domain ?? '').trim();
  const listable = listableName(domain);
  if ('reason' in listable) {
    return domain.length > maxDomainLength
      ? { reason: `The domain is longer than ${maxDomainLength} characters: enter only a domain name.` }
      : listable;
  }
  const read = readSources(cells.source ?? '');
  if ('reason' in read) return read;
  const row: Omit<FileRow, 'line'> = {
    ...listable,
    source: read.sources,
    ...(isPageAddress(domain) && { page: printable(domain) }),
  };

  for (const { field, label, maxLength, read: readText } of textCells) {
    const text = readText(cells[field] ?? '');
    if (text.length > maxLength)
      return { reason: `The ${label} cell is longer than ${maxLength} characters: shorten it.` };
    if (text !== '') row[field] = text;
  }

  const evidenceUrl = toSingleLine(cells.evidenceUrl ?? '');
  if (evidenceUrl !== '') {
    if (!isWebAddress(evidenceUrl)) {
      return {
        reason: `The evidence URL must be empty or start with https:// or http://, and have up to ${maxEvidenceUrlLength} characters.`,
      };
    }
    row.evidenceUrl = evidenceUrl;
  }

  const kind = (cells.sourceKind ?? '').trim().toLowerCase();
  if (kind !== '') {
    const sourceKind = sourceKinds.find((one) => one === kind);
    if (sourceKind === undefined) {
      return { reason: `The source kind must be empty or one of ${sourceKinds.join(', ')}.` };
    }
    row.sourceKind = sourceKind;
  }

  const level = (cells.riskLevel ?? '')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
  if (level !== '') {
    const riskLevel = riskLevels.find((one) => one === level);
    if (riskLevel === undefined) return { reason: `The risk level must be empty or one of ${riskLevels.join(', ')}.` };
    row.riskLevel = riskLevel;
  }

  const rating = (cells.domainRating ?? '').trim();
  if (rating !== '') {
    const value = /^\d{1,3}([.,]\d{1,10})?$/.test(rating) ? Number(rating.replace(',', '.')) : Number.NaN;
    if (!(value >= 0 && value <= 100)) return { reason: 'The domain rating must be empty or a number from 0 to 100.' };
    row.domainRating = Math.round(value);
  }

  const links = (cells.outboundLinks ?? '').trim();
  if (links !== '') {
    const value = /^\d{1,3}(,\d{3}){1,3}$|^\d{1,10}$/.test(links) ? Number(links.replaceAll(',', '')) : Number.NaN;
    if (!(value <= maxOutboundLinks)) {
      return {
        reason: `The number of outbound links must be empty or a whole number up to ${maxOutboundLinks.toLocaleString('en-US')}.`,
      };
    }
    row.outboundLinks = value;
  }
  return row;
}

function isWebAddress(text: string): boolean {
  return text.length <= maxEvidenceUrlLength && /^https?:\/\//i.test(text) && URL.canParse(text);
}
