import {
  type DetectedFormat,
  type IgnoredTable,
  type SkippedRows,
  type SkipReason,
  skipReasons,
} from '#shared/reports/reports.ts';
import type { CsvRecord } from '../../platform/csv/csv-record.ts';
import { decodeText } from '../../platform/csv/encoding.ts';
import { type FileHead, headBytes } from '../../platform/csv/file-bytes.ts';
import { skipLinks } from '../../platform/csv/linked-cell.ts';
import { createScanner, NO_DELIMITER, type Scanner } from '../../platform/csv/scanner.ts';
import { UnreadableFile } from '../../platform/csv/unreadable-file.ts';
import type { Signals } from '../signals/signals.ts';
import { type Header, isClearHeader, isSameHeader, maxHeaderLength, readHeaderLine } from './header-lines.ts';
import { type createHostReader, toSkipReason } from './host-reader.ts';
import { keptCells, keptSlots, listKeptColumns } from './link-details.ts';
import { createFlagReader, LOST, toOrderFlags } from './link-flags.ts';
import type { LinkSet } from './link-set.ts';
import type { Table } from './open-tables.ts';
import { createTargetReader, type OwnSite } from './own-site.ts';
import { findSeveralAddresses } from './several-addresses.ts';
import { listSignalColumns, toSignalSlots } from './signal-columns.ts';
import type { ReadingPlan } from './source-column.ts';

/** A header can be a row that is skipped for one of these reasons. */
const headerReasons: ReadonlySet<SkipReason> = new Set([
  'empty',
  'unknown top-level domain',
  'not an address',
  'malformed row',
]);
const maxLinesPerReason = 5;
/** Planning a table takes as long as opening a file, so further headers are rows after these numbers of them. */
const maxFurtherHeaders = 100;
const maxWithoutTable = 10;

interface TableContext {
  /** The number of the file in the upload. */
  file: number;
  site: OwnSite;
  reader: ReturnType<typeof createHostReader>;
  links: LinkSet | undefined;
  addRow(host: number, record: CsvRecord, flags: number): void;
  signals?: Pick<Signals, 'openTable'> | undefined;
  /** Plans the table that starts at a further header. @throws UnreadableFile, and an error for `findQuestion` */
  planBelow(name: string, head: Pick<FileHead, 'bytes' | 'complete'>): ReadingPlan;
}

/** How a table was read. The file has the encoding. */
type ReadTable = Omit<DetectedFormat, 'encoding'>;

/** A header below the rows of a table. */
interface FurtherHeader {
  line: number;
  /** Without several known names, only the rows below it can tell. */
  isClear: boolean;
}

/** The rows below a header, up to the next one. */
interface Section {
  scanner: Scanner;
  /** Returns the header at which the scanner stopped. */
  takeHeader(): FurtherHeader | undefined;
  finish(): Pick<ReadTable, 'backlinks' | 'duplicates' | 'skipped'>;
}

/**
 * Returns a scanner that reads the rows of a file, and a function that returns its counts at the end. Each further
 * header starts another table. The scanner leaves more bytes unfinished than a `Scanner` does, to plan that table.
 */
export function createTableReader({ name, plan }: Table, context: TableContext) {
  const tables: ReadTable[] = [];
  const ignored: IgnoredTable[] = [];
  const toName = (line: number) => (line === 1 ? name : `${name}, from line ${line}`);
  let furtherHeaders = 0;
  let withoutTable = 0;
  /** The header at which the section stopped. */
  let header: FurtherHeader | undefined;
  const findsHeaders = () => furtherHeaders < maxFurtherHeaders && withoutTable < maxWithoutTable;
  let { section, close } = openTable(plan, 1);

  /** @returns the rows of the table, and what adds its counts to the result */
  function openTable(plan: ReadingPlan, firstLine: number): { section: Section; close(): void } {
    for (const { line, reason } of plan.leftOut) ignored.push({ file: toName(line + firstLine - 1), reason });
    const section = openSection(plan, { ...context, firstLine, findsHeaders });
    const close = () => {
      const counts = section.finish();
      const isEmpty = counts.backlinks + counts.duplicates + counts.skipped.length === 0;
      if (!isEmpty || firstLine === 1) tables.push({ file: toName(firstLine), ...plan.format, ...counts });
    };
    return { section, close };
  }

  function openBelow(head: Pick<FileHead, 'bytes' | 'complete'>, { line, isClear }: FurtherHeader): void {
    try {
      const below = context.planBelow(toName(line), head);
      if (!isClear && !below.isNamed) {
        withoutTable += 1;
        return;
      }
      close();
      ({ section, close } = openTable(below, line));
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      withoutTable += 1;
      // Without addresses below it, the line is a row.
      if (!isClear || !['wrong_report', 'own_pages'].includes(error.code)) return;
      close();
      ignored.push({ file: toName(line), reason: error.message });
      section = openIgnored(line, findsHeaders);
      close = () => {};
    }
  }

  function scan(buffer: Buffer, end: number, atEnd: boolean): number {
    for (let at = 0; ; ) {
      if (header !== undefined) {
        const complete = atEnd && end - at <= headBytes;
        if (end - at < headBytes && !complete) return at;
        openBelow({ bytes: buffer.subarray(at, Math.min(end, at + headBytes)), complete }, header);
      }
      at += section.scanner.scan(buffer.subarray(at, end), end - at, atEnd);
      header = section.takeHeader();
      if (header === undefined) return at;
      furtherHeaders += 1;
    }
  }

  return {
    scanner: { scan },
    finish() {
      close();
      return { tables, ignored };
    },
  };
}

interface SectionContext extends TableContext {
  /** The number of the first line of the section in its file. The lines of the plan are counted from there. */
  firstLine: number;
  findsHeaders(): boolean;
}

function openSection(plan: ReadingPlan, context: SectionContext): Section {
  const { file, site, reader, links, addRow, signals, firstLine } = context;
  const skipped = new Map<SkipReason, SkippedRows>();
  let backlinks = 0;
  let duplicates = 0;
  const { hasTexts, hasComments, targetColumn } = plan;
  const targetSlot = targetColumn === undefined ? undefined : keptSlots.target;
  const isFiltered = targetSlot !== undefined && plan.format.otherSite === null;
  const isElsewhere = isFiltered ? createTargetReader(site, targetSlot) : undefined;
  const readFlags = createFlagReader(plan.flagColumns, keptCells);
  const tableFlags = toOrderFlags(plan.dateOrder);
  const flagSlots = plan.flagColumns.map(({ column }) => column);
  const signalSlots = signals ? listSignalColumns(plan.signalColumns) : [];
  const readSignals = signals?.openTable(
    toSignalSlots({ ...plan, ...plan.signalColumns }, keptCells + flagSlots.length),
  );
  const linesBefore = plan.linesBefore + firstLine - 1;
  const guessedHeaderLine = plan.guessedHeaderLine === 0 ? 0 : plan.guessedHeaderLine + firstLine - 1;
  const endLine = plan.endLine === undefined ? Number.POSITIVE_INFINITY : plan.endLine + firstLine - 1;
  const isRow = (line: number) => line > linesBefore && line !== guessedHeaderLine;
  let header: FurtherHeader | undefined;
  /** The last line at which the scanner stopped. If it reads the line again, it is a row. */
  let stoppedAt = 0;

  function skip(reason: SkipReason, line: number): void {
    const known = skipped.get(reason);
    if (known === undefined) skipped.set(reason, { reason, count: 1, lines: [line] });
    else {
      known.count += 1;
      if (known.lines.length < maxLinesPerReason) known.lines.push(line);
    }
  }

  /** Skips a row, unless it is a header. */
  function skipRow(reason: SkipReason, record: CsvRecord): void {
    const { line } = record;
    const found = headerReasons.has(reason) && !record.blank ? readHeader(record) : undefined;
    // The header of a table is repeated on each printed page.
    if (found !== undefined && isSameHeader(found, { names: plan.header, delimiter: plan.delimiter })) return;
    if (found === undefined || line === firstLine || line === stoppedAt || !context.findsHeaders()) skip(reason, line);
    else stopAt({ line, isClear: isClearHeader(found) });
  }

  function stopAt(found: FurtherHeader): void {
    header = found;
    stoppedAt = found.line;
    scanner.stop();
  }

  /** Adds a link for each address that is not one of the website itself. */
  function addAddresses(addresses: NonNullable<ReturnType<typeof findSeveralAddresses>>, record: CsvRecord): void {
    let reason: SkipReason | undefined;
    let isSkipped = true;
    for (const [start, end] of addresses) {
      record.starts[keptSlots.page] = start;
      record.ends[keptSlots.page] = end;
      const host = reader.read(record, false);
      if (host < 0) reason ??= toSkipReason(host);
      else {
        addLink(host, record);
        isSkipped = false;
      }
    }
    if (isSkipped && reason !== undefined) skipRow(reason, record);
  }

  function addLink(host: number, record: CsvRecord): void {
    const isDuplicate = links?.add(file, record, targetSlot) ?? false;
    skipLinks(record, keptCells);
    const flags = readFlags(record) | tableFlags;
    if ((flags & LOST) === 0) readSignals?.(host, record, isDuplicate);
    if (isDuplicate) {
      duplicates += 1;
      return;
    }
    backlinks += 1;
    addRow(host, record, flags);
  }

  const scanner = createScanner({
    delimiter: plan.delimiter,
    columns: [...listKeptColumns(plan), ...flagSlots, ...signalSlots],
    firstLine,
    onRecord: (record) => {
      if (!isRow(record.line) || (hasComments && isComment(record))) return;
      if (record.line >= endLine && stoppedAt < endLine) return stopAt({ line: record.line, isClear: true });
      if ((record.starts[0] ?? -1) < 0) return skipRow(record.blank ? 'empty' : 'malformed row', record);
      // First, because reading a host adds it to those of the report.
      if (isElsewhere?.(record)) return skip('another site', record.line);
      const addresses = findSeveralAddresses(record);
      if (addresses !== undefined) return addAddresses(addresses, record);
      const host = reader.read(record, hasTexts);
      if (host < 0) skipRow(toSkipReason(host), record);
      else addLink(host, record);
    },
    onMalformed: (line) => {
      if (isRow(line)) skip('malformed row', line);
    },
  });
  return {
    scanner,
    takeHeader() {
      const found = header;
      header = undefined;
      return found;
    },
    finish: () => ({ backlinks, duplicates, skipped: skipReasons.flatMap((reason) => skipped.get(reason) ?? []) }),
  };
}

/** Reads over the rows of a table that is left out, up to the next header. */
function openIgnored(firstLine: number, findsHeaders: () => boolean): Section {
  let header: FurtherHeader | undefined;
  const scanner = createScanner({
    delimiter: NO_DELIMITER,
    columns: [0],
    firstLine,
    onRecord: (record) => {
      const found = record.line === firstLine || !findsHeaders() ? undefined : readHeader(record);
      if (found === undefined || !isClearHeader(found)) return;
      header = { line: record.line, isClear: true };
      scanner.stop();
    },
    onMalformed: () => {},
  });
  return {
    scanner,
    takeHeader() {
      const found = header;
      header = undefined;
      return found;
    },
    finish: () => ({ backlinks: 0, duplicates: 0, skipped: [] }),
  };
}

/** Reads the line of a record, if it is a header. */
function readHeader({ buffer, start }: CsvRecord): Header | undefined {
  let end = start;
  while (end < buffer.length && buffer[end] !== 10 && buffer[end] !== 13) {
    end += 1;
    if (end - start > maxHeaderLength) return undefined;
  }
  return readHeaderLine(decodeText(buffer, start, end));
}

function isComment(record: CsvRecord): boolean {
  let at = record.starts[0] ?? -1;
  if (at < 0) return false;
  while (record.buffer[at] === 32 || record.buffer[at] === 9) at += 1;
  return at < (record.ends[0] ?? 0) && record.buffer[at] === 35;
}
