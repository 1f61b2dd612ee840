import type { UploadQuestion } from '#shared/backlinks.ts';
import type { DetectedFormat, IgnoredTable, SkippedRows } from '#shared/reports.ts';
import type { StoredFile } from '../archives/archives.ts';
import { type CsvRecord, cellText } from '../csv/csv-record.ts';
import { headerOnlyError, scanFile } from '../csv/file-bytes.ts';
import { createScanner } from '../csv/scanner.ts';
import { UnreadableFile } from '../csv/unreadable-file.ts';
import { toLinkText } from '../links/links.ts';
import { createHostReader, createOwnSiteMatcher, toSkipReason } from './host-reader.ts';
import { keptSlots, type LinkDetails, listKeptColumns, readLinkDetails } from './link-details.ts';
import { createFlagReader, LOST, NOFOLLOW } from './link-flags.ts';
import { createLinkSet, type LinkSet } from './link-set.ts';
import { type OpenOptions, openTables, type Table, UnansweredQuestion } from './open-tables.ts';
import { listSignalColumns, type SignalSlots, toSignalSlots } from './signal-columns.ts';
import { wrongReportError } from './wrong-reports.ts';

export type { UploadAnswers } from './open-tables.ts';
export type { SignalSlots } from './signal-columns.ts';

/** How many cells of a row are kept until it is known whether its host is listed. */
export const linkCells = Object.keys(keptSlots).length;

/** The bits of a row's flags: what the export says about the link. */
export const linkFlags = { lost: LOST, nofollow: NOFOLLOW } as const;

type SkipReason = SkippedRows['reason'];

export interface HostCounts {
  /** How each table was read, in the order of the files. */
  formats: DetectedFormat[];
  ignoredTables: IgnoredTable[];
  /** Number of usable rows, lost links included. A link that several files contain counts once. */
  backlinks: number;
  lostBacklinks: number;
  nofollowBacklinks: number;
  /** Links that are both lost and nofollow. */
  lostNofollowBacklinks: number;
  /** Distinct normalized hosts in the order of their first rows. A host's number is its index. */
  hosts: readonly string[];
  /** Number of rows by the number of the host, lost links included. */
  rows: Uint32Array;
  /** Number of lost links by the number of the host; undefined if no link is lost. */
  lostRows: Uint32Array | undefined;
}

export interface CountOptions extends OpenOptions {
  /** The host of the user's website, whose links to itself are skipped. */
  ownHost: string;
  /** Receives the share of the bytes that have been read, 0 to 1. */
  onProgress?(share: number): void;
  /** Receives the hosts that occurred for the first time, after each chunk with such hosts. */
  onHosts?(newHosts: string[]): void;
  /**
   * Receives every usable row with the number of its host and its flags, see `linkFlags`. The cells of the link are in
   * the first `linkCells` slots, from which `readLink` reads them.
   */
  onRow?(host: number, record: CsvRecord, flags: number): void;
  /** Called for each table. Returns what receives its usable rows, also those that an earlier file contains. */
  readSignals?(slots: SignalSlots): SignalReader;
  /** Bytes read at a time. */
  chunkBytes?: number;
}

/** Receives a row with the number of its host. A link that an earlier file contains is a duplicate. */
export type SignalReader = (host: number, record: CsvRecord, flags: number, isDuplicate: boolean) => void;

const skipReasons: readonly SkipReason[] = [
  'empty',
  'IP address',
  'unknown top-level domain',
  'not an address',
  'own site',
  'malformed row',
];
const maxLinesPerReason = 5;

/**
 * Reads the files of an upload once and counts their rows by host. Every row is either counted, a duplicate or skipped
 * with a reason; preamble, header and comments are not rows. Memory grows with the number of distinct hosts, and with
 * several files also with the number of links, but not with the size of a single file.
 * @throws UnreadableFile if a file cannot be used at all, an error with a question (see `findQuestion`) with `ask`, the
 *   signal's reason if aborted
 */
export async function countHosts(files: readonly StoredFile[], options: CountOptions): Promise<HostCounts> {
  const isOwn = createOwnSiteMatcher(options.ownHost);
  await using opened = await openTables(files, isOwn, options);
  const { tables, ignored } = opened;
  const reader = createHostReader(isOwn);
  const links = tables.length > 1 ? createLinkSet() : undefined;
  const rows = createCounter();
  const lostRows = createCounter();
  let lostNofollowBacklinks = 0;
  let nofollowBacklinks = 0;
  let reportedHosts = 0;

  function addRow(host: number, record: CsvRecord, flags: number): void {
    rows.add(host);
    if (flags !== 0) {
      if (flags & NOFOLLOW) nofollowBacklinks += 1;
      if (flags & LOST) {
        lostRows.add(host);
        if (flags & NOFOLLOW) lostNofollowBacklinks += 1;
      }
    }
    options.onRow?.(host, record, flags);
  }

  const totalBytes = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  let bytesBefore = 0;
  const formats: DetectedFormat[] = [];
  for (const [file, table] of tables.entries()) {
    const read = createTableReader(table, { file, reader, links, addRow, openSignals: options.readSignals });
    let encoding = '';
    for await (const chunk of scanFile(table.path, read.scanner, { ...options, ...table })) {
      encoding = chunk.encoding;
      if (reader.hosts.length > reportedHosts) options.onHosts?.(reader.hosts.slice(reportedHosts));
      reportedHosts = reader.hosts.length;
      options.onProgress?.((bytesBefore + chunk.bytesRead) / totalBytes);
    }
    bytesBefore += table.bytes;
    formats.push({ file: table.name, ...table.plan.format, encoding, ...read.finish() });
  }
  if (rows.total() === 0) throw noBacklinksError(mergeSkipped(formats));
  return {
    formats,
    ignoredTables: ignored,
    backlinks: rows.total(),
    lostBacklinks: lostRows.total(),
    nofollowBacklinks,
    lostNofollowBacklinks,
    lostRows: lostRows.total() > 0 ? lostRows.values(reader.hosts.length) : undefined,
    hosts: reader.hosts,
    rows: rows.values(reader.hosts.length),
  };
}

/** Returns the question that `countHosts` threw, if the error is one. */
export function findQuestion(error: unknown): UploadQuestion | undefined {
  return error instanceof UnansweredQuestion ? error.question : undefined;
}

interface TableContext {
  /** The number of the table in the upload. */
  file: number;
  reader: ReturnType<typeof createHostReader>;
  links: LinkSet | undefined;
  addRow(host: number, record: CsvRecord, flags: number): void;
  openSignals: CountOptions['readSignals'];
}

/** Returns a scanner that reads the rows of a table, and a function that returns its counts at the end. */
function createTableReader({ plan }: Table, { file, reader, links, addRow, openSignals }: TableContext) {
  const skipped = new Map<SkipReason, SkippedRows>();
  let backlinks = 0;
  let duplicates = 0;
  const targetSlot = plan.targetColumn === undefined ? undefined : keptSlots.target;
  const readFlags = createFlagReader(plan.flagColumns, linkCells);
  const flagSlots = plan.flagColumns.map(({ column }) => column);
  const signalSlots = openSignals ? listSignalColumns(plan.signalColumns) : [];
  const readSignals = openSignals?.(toSignalSlots({ ...plan, ...plan.signalColumns }, linkCells + flagSlots.length));
  const { linesBefore, guessedHeaderLine, hasComments } = plan;
  const isRow = (line: number) => line > linesBefore && line !== guessedHeaderLine;

  function skip(reason: SkipReason, line: number): void {
    const known = skipped.get(reason);
    if (known === undefined) skipped.set(reason, { reason, count: 1, lines: [line] });
    else {
      known.count += 1;
      if (known.lines.length < maxLinesPerReason) known.lines.push(line);
    }
  }

  const scanner = createScanner({
    delimiter: plan.delimiter,
    columns: [...listKeptColumns(plan), ...flagSlots, ...signalSlots],
    onRecord: (record) => {
      if (!isRow(record.line) || (hasComments && isComment(record))) return;
      if ((record.starts[0] ?? -1) < 0) return skip(record.blank ? 'empty' : 'malformed row', record.line);
      const host = reader.read(record);
      if (host < 0) return skip(toSkipReason(host), record.line);
      const isDuplicate = links?.add(file, record, targetSlot) ?? false;
      const flags = readFlags(record);
      readSignals?.(host, record, flags, isDuplicate);
      if (isDuplicate) {
        duplicates += 1;
        return;
      }
      backlinks += 1;
      addRow(host, record, flags);
    },
    onMalformed: (line) => {
      if (isRow(line)) skip('malformed row', line);
    },
  });
  return {
    scanner,
    finish: () => ({ backlinks, duplicates, skipped: skipReasons.flatMap((reason) => skipped.get(reason) ?? []) }),
  };
}

/** Counts rows by the number of a host, in an array that grows. */
function createCounter() {
  let counts = new Uint32Array(1024);
  let total = 0;
  return {
    add(host: number): void {
      if (host >= counts.length) {
        const larger = new Uint32Array(Math.max(host + 1, counts.length * 2));
        larger.set(counts);
        counts = larger;
      }
      counts[host] = (counts[host] as number) + 1;
      total += 1;
    },
    total: () => total,
    /** Returns at least `length` counts. */
    values: (length: number) =>
      counts.length >= length ? counts : Uint32Array.from({ length }, (_, i) => counts[i] ?? 0),
  };
}

/**
 * Merges the skipped rows of several tables. The line numbers are those of the first table with the reason, because
 * lines of different tables cannot be told apart.
 */
export function mergeSkipped(formats: readonly Pick<DetectedFormat, 'skipped'>[]): SkippedRows[] {
  return skipReasons.flatMap((reason) => {
    const rows = formats.flatMap(({ skipped }) => skipped.filter((one) => one.reason === reason));
    const [first] = rows;
    return first ? [{ ...first, count: rows.reduce((sum, { count }) => sum + count, 0) }] : [];
  });
}

/** A link as it is stored in a report: its linking page, without what surrounds the link in its cell, and its details. */
export interface Link extends LinkDetails {
  page: string;
}

/** Returns the link of a row, without NUL, which PostgreSQL rejects in text. */
export function readLink(record: CsvRecord): Link {
  const cell = (cellText(record, keptSlots.page) ?? '').replaceAll('\0', '');
  return { page: toLinkText(cell), ...readLinkDetails(record) };
}

function isComment(record: CsvRecord): boolean {
  let at = record.starts[0] ?? -1;
  if (at < 0) return false;
  while (record.buffer[at] === 32 || record.buffer[at] === 9) at += 1;
  return at < (record.ends[0] ?? 0) && record.buffer[at] === 35;
}

function noBacklinksError(skipped: readonly SkippedRows[]): UnreadableFile {
  if (skipped.length === 0) return headerOnlyError();
  if (skipped.some((rows) => rows.reason === 'own site')) return wrongReportError('own pages');
  const counts = skipped.map(({ reason, count }) => `${reason}: ${count}`).join(', ');
  return new UnreadableFile(
    'no_addresses',
    `No row of this file is usable (${counts}). Check that the file lists the pages that link to you.`,
  );
}
