import type { ReadingOptions } from '#shared/blacklist/import-preview.ts';
import { createListReader } from '../../hostnames/links/list-lines.ts';
import { splitComment } from '../../hostnames/links/list-marks.ts';
import { isHarmlessField } from '../../hostnames/links/name-fields.ts';
import { type CsvRecord, cellText } from '../../platform/csv/csv-record.ts';
import { headerOnlyError, scanFile } from '../../platform/csv/file-bytes.ts';
import { toShownText } from '../../platform/csv/linked-cell.ts';
import { createScanner } from '../../platform/csv/scanner.ts';
import { UnreadableFile } from '../../platform/csv/unreadable-file.ts';
import { findKeyedFormat } from '../list-formats/detect-format.ts';
import { planReading } from './columns.ts';
import type { FileRow, RowFailure } from './file-row.ts';
import { type ReadPart, readKeyedList } from './keyed-list.ts';
import { type ImportTable, openTables } from './open-tables.ts';
import { parseDomainRow, printable, type RawCells, readCell, ruleReason } from './parse-row.ts';

const damagedRowReason = 'The row cannot be read: close its open quotation mark, or shorten it to 64 kB.';
const damagedRowBytes = 200;

interface FileToRead {
  path: string;
  fileName: string;
  /** For unpacked copies, which are removed at the end. */
  folder: string;
}

/**
 * Reads an admin's file of domains in batches, with all tables of a workbook or an archive. Every row is yielded once,
 * as a row for each of its domains or as a failure; blank rows and comments are skipped. The lines of several tables
 * are counted on.
 * @param options how to read the first table, and the bytes read at a time
 * @param onUnread called with the names of columns that contain domains and are not read
 * @throws UnreadableFile if a required column is missing, a column occurs twice or there are no rows
 */
export async function* readDomainRows(
  file: FileToRead,
  options: ReadingOptions & { chunkBytes?: number | undefined } = {},
  onUnread: (columns: readonly string[]) => void = () => undefined,
): AsyncGenerator<Omit<ReadPart, 'lastLine'>> {
  await using tables = await openTables(file);
  const { readable, ignored, problem } = tables;
  if (readable.length === 0) throw problem ?? new UnreadableFile('no_rows', 'The file has no rows.');
  const totalBytes = readable.reduce((sum, { bytes }) => sum + bytes, 0);
  const isSeveral = readable.length + ignored.length > 1;
  let linesBefore = 0;
  let bytesBefore = 0;
  let isEmpty = true;
  let firstProblem: unknown;
  const left: RowFailure[] = [];
  const leaveOut = (name: string, reason: string) => {
    linesBefore += 1;
    left.push({ line: linesBefore, value: printable(name), reason });
  };
  for (const [index, table] of readable.entries()) {
    let lines = 0;
    const toFailure = ({ line, value, reason }: RowFailure): RowFailure => ({
      line: linesBefore + line,
      value,
      reason: isSeveral ? `${printable(table.name)}, line ${line}: ${reason}` : reason,
    });
    try {
      const { mapping, ...rest } = options;
      const reading = index === 0 ? options : rest;
      for await (const { rows, failures, share, lastLine } of readTable(table, reading, onUnread)) {
        isEmpty = false;
        lines = lastLine;
        yield {
          rows: rows.map((row) => ({ ...row, line: linesBefore + row.line })),
          failures: failures.map(toFailure),
          share: (bytesBefore + share * table.bytes) / totalBytes,
        };
      }
    } catch (error) {
      if (!isSeveral || !(error instanceof UnreadableFile)) throw error;
      firstProblem ??= error;
      leaveOut(table.name, error.message);
    }
    linesBefore += lines;
    bytesBefore += table.bytes;
  }
  if (isEmpty) throw firstProblem ?? new UnreadableFile('no_rows', 'The file has no rows.');
  for (const { name, reason } of ignored) leaveOut(name, reason);
  if (left.length > 0) yield { rows: [], failures: left, share: 1 };
}

/** Reads the rows of one table. */
async function* readTable(
  table: ImportTable,
  options: ReadingOptions & { chunkBytes?: number | undefined },
  onUnread: (columns: readonly string[]) => void,
): AsyncGenerator<ReadPart> {
  const { path, head } = table;
  const { defaultSource, defaultKind = '', chunkBytes } = options;
  const keyedFormat = defaultSource === undefined ? undefined : findKeyedFormat(head);
  if (keyedFormat !== undefined) {
    yield* readKeyedList(table, { ...options, format: keyedFormat }, onUnread);
    return;
  }
  const plan = planReading(head, options);
  const { delimiter, headerLine, columns, moreDomains, rowsAbove, unread, verdicts, hasComments } = plan;
  if (unread.length > 0) onUnread(unread);

  const fields = columns.map(({ field }) => field);
  let rows: FileRow[] = [];
  let failures: RowFailure[] = [];
  let isEmpty = true;
  let lastLine = 0;
  const readLine = createListReader();
  const isLeftOut = (line: number) => line <= headerLine && !rowsAbove.has(line);

  /** Adds a row for each domain of a record. */
  function addRow(line: number, cells: RawCells, domains: readonly string[]): void {
    const good = new Map<string, FileRow>();
    const bad: { value: string; reason: string }[] = [];
    for (const domain of domains.some((text) => text.trim() !== '') ? domains : ['']) {
      if (domain.trim() === '' && domains.length > 1) continue;
      const entries = [...readLine(domain)];
      // A blank cell, or a name such as localhost.
      if (entries.length === 0 && splitComment(domain).comment === undefined) entries.push({ text: domain });
      for (const entry of entries) {
        const parsed =
          'text' in entry ? parseDomainRow(line, { ...cells, domain: entry.text }) : { reason: ruleReason };
        if ('reason' in parsed) bad.push({ value: printable(domain), reason: parsed.reason });
        else if (!good.has(parsed.name)) good.set(parsed.name, parsed);
      }
    }
    rows.push(...good.values());
    if (bad.length === 0) return;
    const reasons = [...new Set(bad.map(({ reason }) => reason))];
    failures.push({ line, value: bad.map(({ value }) => value).join(', '), reason: reasons.join(' ') });
  }

  const scanner = createScanner({
    delimiter,
    columns: [...columns.map(({ column }) => column), ...moreDomains, ...verdicts.map(({ column }) => column)],
    onRecord: (record) => {
      lastLine = record.line;
      if (isLeftOut(record.line) || isBlank(record)) return;
      const cells: RawCells = {};
      fields.forEach((field, slot) => {
        cells[field] = readCell(field, cellText(record, slot) ?? '');
      });
      if (hasComments && cells.domain?.trimStart().startsWith('#')) return;
      isEmpty = false;
      const verdict = verdicts.find(({ name }, i) =>
        isHarmlessField(name, toShownText(cellText(record, fields.length + moreDomains.length + i) ?? '')),
      );
      if (verdict) {
        const reason = `According to the column “${verdict.name}”, this site is not listed.`;
        failures.push({ line: record.line, value: printable(cells.domain), reason });
        return;
      }
      if (defaultSource !== undefined && !cells.source?.trim()) {
        cells.source = defaultSource;
        cells.sourceKind ||= defaultKind;
      }
      const others = moreDomains.map((_, i) => readCell('domain', cellText(record, fields.length + i) ?? ''));
      addRow(record.line, cells, [cells.domain ?? '', ...others]);
    },
    onMalformed: (line, buffer, start, end) => {
      lastLine = line;
      if (isLeftOut(line)) return;
      isEmpty = false;
      const value = buffer.toString('utf8', start, Math.min(end, start + damagedRowBytes));
      failures.push({ line, value: printable(value), reason: damagedRowReason });
    },
  });
  const { encoding, markBytes, hasQuotedLines } = head;
  for await (const { bytesRead, totalBytes } of scanFile(path, scanner, {
    encoding,
    markBytes,
    hasQuotedLines,
    ...(chunkBytes && { chunkBytes }),
  })) {
    if (rows.length + failures.length === 0) continue;
    yield { rows, failures, share: bytesRead / totalBytes, lastLine };
    rows = [];
    failures = [];
  }
  if (isEmpty) throw headerLine > 0 ? headerOnlyError() : new UnreadableFile('no_rows', 'The file has no rows.');
}

function isBlank(record: CsvRecord): boolean {
  return record.blank || (record.count === 1 && cellText(record, 0)?.trim() === '');
}
