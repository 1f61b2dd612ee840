import type { UploadQuestion } from '#shared/reports/backlinks.ts';
import { type DetectedFormat, type IgnoredTable, type SkippedRows, skipReasons } from '#shared/reports/reports.ts';
import type { StoredFile } from '../../platform/archives/archives.ts';
import type { CsvRecord } from '../../platform/csv/csv-record.ts';
import { headerOnlyError, scanFile } from '../../platform/csv/file-bytes.ts';
import { UnreadableFile } from '../../platform/csv/unreadable-file.ts';
import type { Signals } from '../signals/signals.ts';
import { createHostReader } from './host-reader.ts';
import { LOST, NOFOLLOW } from './link-flags.ts';
import { createLinkSet } from './link-set.ts';
import { type OpenOptions, openTables, planBelow, UnansweredQuestion } from './open-tables.ts';
import { createOwnSite } from './own-site.ts';
import type { PageSpool } from './page-spool.ts';
import { createTableReader } from './table-reader.ts';
import { wrongReportError } from './wrong-reports.ts';

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
  /** Stores every usable row. The cells of its link are in the first `keptCells` slots. */
  pages?: Pick<PageSpool, 'add'>;
  /** Collects patterns of the usable rows that are not lost, also of those that an earlier file contains. */
  signals?: Pick<Signals, 'openTable'>;
  /** Bytes read at a time. */
  chunkBytes?: number;
}

/** A part of the files that has been read. */
interface ReadPart {
  /** The hosts that occurred for the first time. */
  newHosts: readonly string[];
  /** The share of the bytes that have been read so far, 0 to 1. */
  share: number;
}

/** Reads all parts at once, see `readBacklinks`. */
export async function countHosts(files: readonly StoredFile[], options: CountOptions): Promise<HostCounts> {
  const reading = readBacklinks(files, options);
  for (;;) {
    const part = await reading.next();
    if (part.done) return part.value;
  }
}

/**
 * Reads the files of an upload once, part by part, and counts their rows by host. Every row is either counted, a
 * duplicate or skipped with a reason; preamble, header and comments are not rows. Memory grows with the number of
 * distinct hosts, and with several files also with the number of links, but not with the size of a single file.
 * @throws UnreadableFile if a file cannot be used at all, an error with a question (see `findQuestion`) with `ask`, the
 *   signal's reason if aborted
 */
export async function* readBacklinks(
  files: readonly StoredFile[],
  options: CountOptions,
): AsyncGenerator<ReadPart, HostCounts> {
  const site = createOwnSite(options.ownHost);
  await using opened = await openTables(files, site, options);
  const { tables, ignored } = opened;
  const { pages, signals } = options;
  const reader = createHostReader(site);
  const links = tables.length > 1 ? createLinkSet() : undefined;
  const rows = createCounter();
  const lostRows = createCounter();
  let lostNofollowBacklinks = 0;
  let nofollowBacklinks = 0;
  let readHosts = 0;

  function addRow(host: number, record: CsvRecord, flags: number): void {
    rows.add(host);
    if (flags !== 0) {
      if (flags & NOFOLLOW) nofollowBacklinks += 1;
      if (flags & LOST) {
        lostRows.add(host);
        if (flags & NOFOLLOW) lostNofollowBacklinks += 1;
      }
    }
    pages?.add(host, record, flags);
  }

  const totalBytes = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  let bytesBefore = 0;
  const formats: DetectedFormat[] = [];
  for (const [file, table] of tables.entries()) {
    const { scanner, finish } = createTableReader(table, {
      file,
      site,
      reader,
      links,
      addRow,
      signals,
      planBelow: (name, head) => planBelow(name, head, site, options),
    });
    let encoding = '';
    for await (const chunk of scanFile(table.path, scanner, { ...options, ...table })) {
      encoding = chunk.encoding;
      const newHosts = reader.hosts.slice(readHosts);
      readHosts = reader.hosts.length;
      yield { newHosts, share: Math.min(1, (bytesBefore + chunk.bytesRead) / totalBytes) };
    }
    bytesBefore += table.bytes;
    const read = finish();
    for (const one of read.tables) formats.push({ ...one, encoding });
    ignored.push(...read.ignored);
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

/** Returns the question that `readBacklinks` threw, if the error is one. */
export function findQuestion(error: unknown): UploadQuestion | undefined {
  return error instanceof UnansweredQuestion ? error.question : undefined;
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

function noBacklinksError(skipped: readonly SkippedRows[]): UnreadableFile {
  if (skipped.length === 0) return headerOnlyError();
  const has = (reason: SkippedRows['reason']) => skipped.some((rows) => rows.reason === reason);
  if (has('own site') && !has('another site')) return wrongReportError('own pages');
  const counts = skipped.map(({ reason, count }) => `${reason}: ${count}`).join(', ');
  return new UnreadableFile(
    'no_addresses',
    `No row of this file is usable (${counts}). Check that the file lists the pages that link to you.`,
  );
}
