import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { pageText } from '../backlink-files/backlink-files.ts';
import type { CsvRecord } from '../csv/csv-record.ts';
import { formatCopyRow } from '../db/copy.ts';

/** The source cells of all usable rows, put aside while a file is read, so that the harmful ones need no second reading. */
export interface KeptPages {
  keep(host: number, record: CsvRecord): void;
  /** The pages whose host's number is wanted (not -1 in `wanted`), in the order of the file, in batches. Once. */
  read(wanted: Int32Array): Generator<{ host: number; page: string }[]>;
}

/** Room for many rows, and for more than the longest one. */
const blockBytes = 1024 * 1024;
const headBytes = 8;

/**
 * Keeps cells in memory up to a block, and the rest in a file that loses its name at once: it is gone with the process, however
 * that ends.
 * @param path a free name for that file
 */
export function createKeptPages(path: string): KeptPages {
  const block = Buffer.allocUnsafeSlow(blockBytes);
  const written: number[] = [];
  let used = 0;
  let file = -1;

  function keep(host: number, record: CsvRecord): void {
    const start = record.starts[0] ?? 0;
    const end = record.ends[0] ?? start;
    if (used + headBytes + end - start > blockBytes) write();
    block.writeUInt32LE(host * 2 + (record.doubled[0] ?? 0), used);
    block.writeUInt32LE(end - start, used + 4);
    used += headBytes + record.buffer.copy(block, used + headBytes, start, end);
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
      yield pagesIn(block, length, wanted);
    }
    if (file >= 0) closeSync(file);
  }

  return { keep, read };
}

function pagesIn(block: Buffer, length: number, wanted: Int32Array): { host: number; page: string }[] {
  const pages: { host: number; page: string }[] = [];
  const [starts, ends, doubled] = [new Int32Array(1), new Int32Array(1), new Uint8Array(1)];
  const record: CsvRecord = { buffer: block, line: 0, blank: false, count: 1, starts, ends, doubled };
  for (let at = 0; at < length; ) {
    const head = block.readUInt32LE(at);
    const host = head >>> 1;
    starts[0] = at + headBytes;
    ends[0] = at + headBytes + block.readUInt32LE(at + 4);
    doubled[0] = head & 1;
    at = ends[0];
    if (wanted[host] !== -1) pages.push({ host, page: pageText(record) });
  }
  return pages;
}

const chunkLength = 256 * 1024;

/**
 * The harmful pages as lines for COPY (report, position, position of the listed name, page). The pages of a name follow each
 * other from the sum of all counts before it, so that every line knows its final place without sorting.
 * @param positions by host number: the position of the listed name that covers it, or -1
 * @param counts backlinks under the name at each position
 * @param onProgress gets the share of the lines that have been read, 0 to 1
 */
export function* backlinkLines(
  pages: KeptPages,
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
      const place = next[position] ?? 0;
      next[position] = place + 1;
      text += formatCopyRow([reportId, place, position, page]);
    }
    rows += batch.length;
    if (text.length < chunkLength) continue;
    onProgress(rows / total);
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
