import type { DetectedFormat, SkippedRows } from '#shared/reports.ts';
import { type CsvRecord, cellText } from '../csv/csv-record.ts';
import { headerOnlyError, readHead, scanFile } from '../csv/file-bytes.ts';
import { createScanner } from '../csv/scanner.ts';
import { UnreadableFile } from '../csv/unreadable-file.ts';
import { createHostReader, createOwnSiteMatcher, EMPTY, NOT_A_DOMAIN } from './host-reader.ts';
import { planReading } from './source-column.ts';

type SkipReason = SkippedRows['reason'];

export interface HostCounts {
  format: DetectedFormat;
  /** Number of usable rows. */
  backlinks: number;
  /** Number of rows by normalized host. */
  hosts: Map<string, number>;
  /** The rows that were not usable, by reason. Only reasons that occurred. */
  skipped: SkippedRows[];
}

export interface CountOptions {
  /** The host of the user's website, whose links to itself are skipped. */
  ownHost: string;
  /** The header name of the source column. Without it the column is detected. */
  column?: string | undefined;
  signal?: AbortSignal | undefined;
  onProgress?(bytesRead: number, totalBytes: number): void;
  /** Receives the hosts that occurred for the first time, after each chunk with such hosts. */
  onHosts?(newHosts: string[]): void;
  /**
   * Receives every usable row with the number of its host: its zero-based position in `hosts`. The cell in slot 0 is
   * the source.
   */
  onRow?(host: number, record: CsvRecord): void;
  /** Bytes read at a time. */
  chunkBytes?: number;
}

const skipReasons: readonly SkipReason[] = ['empty', 'not a domain', 'own site', 'malformed row'];
const maxLinesPerReason = 5;

/**
 * Reads an upload once and counts its rows by host. Every row is either counted or in `skipped`; preamble, header and
 * comments are not rows. Memory grows with the number of distinct hosts, not with the size of the file.
 * @throws UnreadableFile if the file cannot be used at all; the signal's reason if aborted
 */
export async function countHosts(path: string, options: CountOptions): Promise<HostCounts> {
  const { plan, head, isOwn } = await openUpload(path, options);
  const reader = createHostReader(isOwn);
  const skipped = new Map<SkipReason, SkippedRows>();
  let backlinks = 0;
  let rows = new Uint32Array(1024);
  let reportedHosts = 0;

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
    columns: [plan.column],
    onRecord: (record) => {
      if (record.line <= plan.headerLine || (plan.hasComments && isComment(record))) return;
      if ((record.starts[0] ?? -1) < 0) return skip(record.blank ? 'empty' : 'malformed row', record.line);
      const number = reader.read(record);
      if (number < 0) return skip(toSkipReason(number), record.line);
      backlinks += 1;
      if (number === rows.length) {
        const larger = new Uint32Array(rows.length * 2);
        larger.set(rows);
        rows = larger;
      }
      rows[number] = (rows[number] as number) + 1;
      options.onRow?.(number, record);
    },
    onMalformed: (line) => {
      if (line > plan.headerLine) skip('malformed row', line);
    },
  });
  for await (const { bytesRead, totalBytes } of scanFile(path, scanner, { ...head, ...options })) {
    if (reader.hosts.length > reportedHosts) options.onHosts?.(reader.hosts.slice(reportedHosts));
    reportedHosts = reader.hosts.length;
    options.onProgress?.(bytesRead, totalBytes);
  }
  const result = skipReasons.flatMap((reason) => skipped.get(reason) ?? []);
  if (backlinks === 0) throw noBacklinksError(result);
  return { format: plan.format, backlinks, hosts: reader.finish(rows), skipped: result };
}

async function openUpload(path: string, { ownHost, column }: CountOptions) {
  const head = await readHead(path);
  const isOwn = createOwnSiteMatcher(ownHost);
  return {
    plan: planReading(head, isOwn, column),
    head: { encoding: head.encoding, markBytes: head.markBytes },
    isOwn,
  };
}

function toSkipReason(number: number): SkipReason {
  if (number === EMPTY) return 'empty';
  return number === NOT_A_DOMAIN ? 'not a domain' : 'own site';
}

/**
 * Returns the linking page of a row, without NUL, which PostgreSQL rejects in text, and without the `domain:` of a
 * disavow line.
 */
export function pageText(record: CsvRecord): string {
  return (cellText(record, 0) ?? '')
    .replaceAll('\0', '')
    .trim()
    .replace(/^domain:\s*/i, '');
}

function isComment(record: CsvRecord): boolean {
  let at = record.starts[0] ?? -1;
  if (at < 0) return false;
  while (record.buffer[at] === 32 || record.buffer[at] === 9) at += 1;
  return at < (record.ends[0] ?? 0) && record.buffer[at] === 35;
}

function noBacklinksError(skipped: readonly SkippedRows[]): UnreadableFile {
  if (skipped.length === 0) return headerOnlyError();
  if (skipped.some((rows) => rows.reason === 'own site')) {
    return new UnreadableFile(
      'own_pages',
      'Every link in this file comes from your own website. Export your backlinks or referring domains instead.',
    );
  }
  const counts = skipped.map(({ reason, count }) => `${reason}: ${count}`).join(', ');
  return new UnreadableFile(
    'no_addresses',
    `No row of this file is usable (${counts}). Check that the file lists the pages that link to you.`,
  );
}
