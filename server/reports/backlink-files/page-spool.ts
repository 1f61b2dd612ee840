import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { toLinkText } from '../../hostnames/links/links.ts';
import { type CsvRecord, cellText } from '../../platform/csv/csv-record.ts';
import { keptCells, keptSlots, type LinkDetails, readLinkDetails } from './link-details.ts';
import { flagBits, LOST, NOFOLLOW } from './link-flags.ts';

/**
 * A link as it is stored in a report: its linking page, without what surrounds the link in its cell, and its details.
 */
export interface Link extends LinkDetails {
  page: string;
}

/** A link of a name that was listed when it was looked up. */
export interface HarmfulLink extends Link {
  /** The number of the name. */
  name: number;
  isLost: boolean;
  isNofollow: boolean;
}

/**
 * Stores links while a file is read: the linking page, and the target, anchor and date if the file has them. Which
 * hosts are listed is known only some time after their first row, and for the last ones only at the end. Reading the
 * file a second time for the links of these hosts would be slower.
 */
export interface PageSpool {
  /** Adds the first `keptCells` cells of a record, with the number of its host and its flags (link-flags.ts). */
  add(host: number, record: CsvRecord, flags: number): void;
  /** Leaves out further links of a host, because it is not listed. */
  ignore(host: number): void;
  /**
   * Yields the links of listed names in file order and in batches. Can be called once.
   * @param names for each number of a host, the number of the name that covers it, or -1
   */
  read(names: Int32Array): Generator<HarmfulLink[]>;
}

/** Large enough for many rows, and larger than the longest row, whose cells do not overlap. */
const blockBytes = 1024 * 1024;
/**
 * An entry starts with a word of 25 bits for the number of the host, 4 for the flags and 3 for the number of cells:
 * those up to the last one that is not empty. Each cell starts with a word of its length and, in the lowest bit,
 * whether it has doubled quotation marks.
 */
const wordBytes = 4;
const hostFactor = 2 ** (3 + flagBits);
const maxHeadBytes = wordBytes * (1 + keptCells);
/** Most cells are so short that calling `Buffer.copy` would take longer than copying them word by word. */
const maxWordCopyBytes = 100;
/** Copying word by word writes up to three bytes after the end. */
const slackBytes = wordBytes - 1;

/**
 * Creates a spool with one block in memory. When the block is full it goes to a temporary file, which is unlinked
 * immediately after it is opened, so that the file system frees it however the process ends.
 * @param path an unused path for that file
 */
export function createPageSpool(path: string): PageSpool {
  const block = Buffer.allocUnsafeSlow(blockBytes);
  const written: number[] = [];
  const words = new DataView(block.buffer, block.byteOffset, blockBytes);
  /** The buffer of the last record, which is the same for all records of a chunk. */
  let source: Buffer = block;
  let sourceWords: DataView = words;
  let used = 0;
  let file = -1;
  /** 1 for each ignored host. */
  let ignored = new Uint8Array(1024);

  function ignore(host: number): void {
    if (host >= ignored.length) {
      const larger = new Uint8Array(Math.max(host + 1, ignored.length * 2));
      larger.set(ignored);
      ignored = larger;
    }
    ignored[host] = 1;
  }

  function add(host: number, record: CsvRecord, flags: number): void {
    if (ignored[host] === 1) return;
    const { buffer, starts, ends, doubled } = record;
    if (source !== buffer) {
      source = buffer;
      sourceWords = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
    }
    let bytes = maxHeadBytes + slackBytes;
    let cells = 1;
    for (let slot = 0; slot < keptCells; slot += 1) {
      const length = (ends[slot] as number) - (starts[slot] as number);
      if ((starts[slot] as number) < 0 || length === 0) continue;
      bytes += length;
      cells = slot + 1;
    }
    if (used + bytes > blockBytes) write();
    words.setUint32(used, host * hostFactor + flags * 8 + cells, true);
    used += wordBytes;
    for (let slot = 0; slot < cells; slot += 1) {
      const start = starts[slot] as number;
      const length = start < 0 ? 0 : (ends[slot] as number) - start;
      words.setUint32(used, length * 2 + (doubled[slot] as number), true);
      copyCell(start, length, used + wordBytes);
      used += wordBytes + length;
    }
  }

  function copyCell(start: number, length: number, to: number): void {
    const end = start + length;
    if (length > maxWordCopyBytes || end + slackBytes > source.length) {
      source.copy(block, to, start, end);
      return;
    }
    for (let i = 0; i < length; i += wordBytes) words.setInt32(to + i, sourceWords.getInt32(start + i, true), true);
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

  function* read(names: Int32Array): Generator<HarmfulLink[]> {
    if (file >= 0) write();
    else written.push(used);
    let position = 0;
    for (const length of written) {
      for (let at = 0; file >= 0 && at < length; ) at += readSync(file, block, at, length - at, position + at);
      position += length;
      yield decodeLinks(block, length, names);
    }
    if (file >= 0) closeSync(file);
  }

  return { add, ignore, read };
}

function decodeLinks(block: Buffer, length: number, names: Int32Array): HarmfulLink[] {
  const links: HarmfulLink[] = [];
  const [starts, ends, doubled] = [new Int32Array(keptCells), new Int32Array(keptCells), new Uint8Array(keptCells)];
  const record: CsvRecord = { buffer: block, start: 0, line: 0, blank: false, count: keptCells, starts, ends, doubled };
  for (let at = 0; at < length; ) {
    const head = block.readUInt32LE(at);
    at += wordBytes;
    const cells = head & 7;
    starts.fill(-1);
    for (let slot = 0; slot < cells; slot += 1) {
      const cell = block.readUInt32LE(at);
      starts[slot] = at + wordBytes;
      at += wordBytes + (cell >>> 1);
      ends[slot] = at;
      doubled[slot] = cell & 1;
    }
    const name = names[Math.floor(head / hostFactor)] as number;
    if (name < 0) continue;
    const flags = (head % hostFactor) >>> 3;
    const isLost = (flags & LOST) !== 0;
    links.push({ name, isLost, isNofollow: (flags & NOFOLLOW) !== 0, ...readLink(record, flags) });
  }
  return links;
}

/** Returns the link of a row with its flags, without NUL, which PostgreSQL rejects in text. */
export function readLink(record: CsvRecord, flags: number): Link {
  const cell = (cellText(record, keptSlots.page) ?? '').replaceAll('\0', '');
  return { page: toLinkText(cell), ...readLinkDetails(record, flags) };
}
