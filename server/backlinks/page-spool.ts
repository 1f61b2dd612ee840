import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { pageText } from '../backlink-files/backlink-files.ts';
import type { CsvRecord } from '../csv/csv-record.ts';
import { formatCopyRow } from '../db/copy.ts';

/**
 * Stores the linking pages of all usable rows while a file is read. Which hosts are listed is known only at the end,
 * and reading the file a second time for the pages of these hosts would be slower.
 */
export interface PageSpool {
  /** Adds the cell in slot 0 of a record, with the number of its host. */
  add(host: number, record: CsvRecord): void;
  /**
   * Yields the pages whose host is wanted (not -1 at the host's number in `wanted`), in file order and in batches. Can
   * be called once.
   */
  read(wanted: Int32Array): Generator<{ host: number; page: string }[]>;
}

/** Large enough for many rows, and larger than the longest row. */
const blockBytes = 1024 * 1024;
/** Each entry starts with 4 bytes of host number and doubled flag (the lowest bit), and 4 bytes of cell length. */
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

  function add(host: number, record: CsvRecord): void {
    const start = record.starts[0] ?? 0;
    const end = record.ends[0] ?? start;
    if (used + entryHeaderBytes + end - start > blockBytes) write();
    block.writeUInt32LE(host * 2 + (record.doubled[0] ?? 0), used);
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

  function* read(wanted: Int32Array): Generator<{ host: number; page: string }[]> {
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

function decodePages(block: Buffer, length: number, wanted: Int32Array): { host: number; page: string }[] {
  const pages: { host: number; page: string }[] = [];
  const [starts, ends, doubled] = [new Int32Array(1), new Int32Array(1), new Uint8Array(1)];
  const record: CsvRecord = { buffer: block, line: 0, blank: false, count: 1, starts, ends, doubled };
  for (let at = 0; at < length; ) {
    const head = block.readUInt32LE(at);
    const host = head >>> 1;
    starts[0] = at + entryHeaderBytes;
    ends[0] = at + entryHeaderBytes + block.readUInt32LE(at + 4);
    doubled[0] = head & 1;
    at = ends[0];
    if (wanted[host] !== -1) pages.push({ host, page: pageText(record) });
  }
  return pages;
}

const minChunkLength = 256 * 1024;

/**
 * Yields the harmful pages as lines for COPY (report, position, position of the listed name, page). The pages of a name
 * have consecutive positions that start at the sum of the counts of all names before it, so every line gets its final
 * position without sorting.
 * @param positions for each host number, the position of the listed name that covers the host, or -1
 * @param counts for each position of a listed name, its number of backlinks
 * @param onProgress receives the share of the lines that have been yielded, 0 to 1
 */
export function* buildCopyLines(
  pages: PageSpool,
  positions: Int32Array,
  counts: readonly number[],
  reportId: number,
  onProgress: (share: number) => void,
): Generator<string> {
  let total = 0;
  const next = counts.map((count) => {
    total += count;
    return total - count;
  });
  let text = '';
  let rows = 0;
  for (const batch of pages.read(positions)) {
    for (const { host, page } of batch) {
      const position = positions[host] ?? -1;
      const pagePosition = next[position] ?? 0;
      next[position] = pagePosition + 1;
      text += formatCopyRow([reportId, pagePosition, position, page]);
    }
    rows += batch.length;
    if (text.length < minChunkLength) continue;
    onProgress(rows / total);
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
