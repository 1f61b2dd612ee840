import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { linkFlags, pageText } from '../backlink-files/backlink-files.ts';
import type { CsvRecord } from '../csv/csv-record.ts';
import { formatCopyRow } from '../db/copy.ts';

/**
 * Stores the linking pages of all usable rows while a file is read. Which hosts are listed is known only at the end,
 * and reading the file a second time for the pages of these hosts would be slower.
 */
export interface PageSpool {
  /** Adds the cell in slot 0 of a record, with the number of its host and its flags (`linkFlags`). */
  add(host: number, record: CsvRecord, flags: number): void;
  /**
   * Yields the pages whose host is wanted (not -1 at the host's number in `wanted`), in file order and in batches. Can
   * be called once.
   */
  read(wanted: Int32Array): Generator<SpooledPage[]>;
}

interface SpooledPage {
  host: number;
  page: string;
  flags: number;
}

/** Large enough for many rows, and larger than the longest row. */
const blockBytes = 1024 * 1024;
/** Each entry starts with 4 bytes of host number, flags and doubled bit (the lowest one), and 4 bytes of cell length. */
const entryHeaderBytes = 8;

/**
 * Creates a spool with one block in memory. When the block is full it goes to a temporary file, which is unlinked
 * immediately after it is opened, so that the file system frees it however the process ends.
 * @param path an unused path for that file
 */
export function createPageSpool(path: string): PageSpool {
  const block = Buffer.allocUnsafeSlow(blockBytes);
  const written: number[] = [];
  let used = 0;
  let file = -1;

  function add(host: number, record: CsvRecord, flags: number): void {
    const start = record.starts[0] ?? 0;
    const end = record.ends[0] ?? start;
    if (used + entryHeaderBytes + end - start > blockBytes) write();
    block.writeUInt32LE(host * 8 + flags * 2 + (record.doubled[0] ?? 0), used);
    block.writeUInt32LE(end - start, used + 4);
    used += entryHeaderBytes + record.buffer.copy(block, used + entryHeaderBytes, start, end);
  }

  function write(): void {
    if (file < 0) {
      file = openSync(path, 'wx+');
      unlinkSync(path);
    }
    for (let at = 0; at < used; ) at += writeSync(file, block, at, used - at);
    written.push(used);
    used = 0;
  }

  function* read(wanted: Int32Array): Generator<SpooledPage[]> {
    if (file >= 0) write();
    else written.push(used);
    let position = 0;
    for (const length of written) {
      for (let at = 0; file >= 0 && at < length; ) at += readSync(file, block, at, length - at, position + at);
      position += length;
      yield decodePages(block, length, wanted);
    }
    if (file >= 0) closeSync(file);
  }

  return { add, read };
}

function decodePages(block: Buffer, length: number, wanted: Int32Array): SpooledPage[] {
  const pages: SpooledPage[] = [];
  const [starts, ends, doubled] = [new Int32Array(1), new Int32Array(1), new Uint8Array(1)];
  const record: CsvRecord = { buffer: block, line: 0, blank: false, count: 1, starts, ends, doubled };
  for (let at = 0; at < length; ) {
    const head = block.readUInt32LE(at);
    const host = head >>> 3;
    starts[0] = at + entryHeaderBytes;
    ends[0] = at + entryHeaderBytes + block.readUInt32LE(at + 4);
    doubled[0] = head & 1;
    at = ends[0];
    if (wanted[host] !== -1) pages.push({ host, page: pageText(record), flags: (head >>> 1) & 3 });
  }
  return pages;
}

const minChunkLength = 256 * 1024;

/** The number of backlinks of a listed name, and how many more are lost. */
export interface BacklinkCounts {
  backlinks: number;
  lostBacklinks: number;
}

/**
 * Yields the harmful pages as lines for COPY (report, position, position of the listed name, page, nofollow). The pages
 * of a name have consecutive positions, first those of all names that are not lost, then the lost ones. They start at
 * the sum of the counts before them, so every line gets its final position without sorting.
 * @param positions for each host number, the position of the listed name that covers the host, or -1
 * @param counts for each position of a listed name
 * @param onProgress receives the share of the lines that have been yielded, 0 to 1
 */
export function* buildCopyLines(
  pages: PageSpool,
  positions: Int32Array,
  counts: readonly BacklinkCounts[],
  reportId: number,
  onProgress: (share: number) => void,
): Generator<string> {
  let total = 0;
  const toStarts = (values: readonly number[]) =>
    values.map((count) => {
      total += count;
      return total - count;
    });
  const next = toStarts(counts.map(({ backlinks }) => backlinks));
  const nextLost = toStarts(counts.map(({ lostBacklinks }) => lostBacklinks));
  let text = '';
  let rows = 0;
  for (const batch of pages.read(positions)) {
    for (const { host, page, flags } of batch) {
      const position = positions[host] ?? -1;
      const starts = flags & linkFlags.lost ? nextLost : next;
      const pagePosition = starts[position] ?? 0;
      starts[position] = pagePosition + 1;
      text += formatCopyRow([reportId, pagePosition, position, page, flags & linkFlags.nofollow ? 't' : 'f']);
    }
    rows += batch.length;
    if (text.length < minChunkLength) continue;
    onProgress(rows / total);
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
