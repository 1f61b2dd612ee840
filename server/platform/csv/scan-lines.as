/*
 * Finds the cells of plain CSV records in bytes, 64 bytes at a time. AssemblyScript, compiled to WebAssembly by
 * `npm run build:scanner`, which writes `scan-lines.wasm.ts`. `scanner.ts` describes the grammar and reads all other
 * records: those with line ends or stray quotation marks in quoted cells, above the limit, or without a line end in
 * the bytes.
 *
 * Memory, in bytes: 0 the slot of each column as i16, -1 for none; `records` the records that were found, see
 * `recordBytes`; `input` the bytes to scan. All positions are relative to `input`.
 */

const maxColumns: i32 = 4096;
const maxSlots: i32 = 64;
const maxRecords: i32 = 512;
const records: usize = 2 * maxColumns;
/** Four numbers of a record (start, number of cells, whether it is blank, 0), then starts, ends and marks of its slots. */
const recordBytes: i32 = 16 + maxSlots * 9;
const input: usize = records + <usize>(maxRecords * recordBytes);

const LF: u32 = 10;
const CR: u32 = 13;
const SPACE: u32 = 32;
const QUOTE: u32 = 34;

export const inputAt: usize = input;
export const recordsAt: usize = records;
export const recordSize: i32 = recordBytes;

let delimiter: u32 = 0;
let lastColumn: i32 = 0;
let slots: i32 = 0;
let limit: i32 = 0;

/** Where the first record starts that was not found. */
export let next: i32 = 0;

export function configure(delimiterByte: u32, lastRequested: i32, slotCount: i32, maxBytes: i32): void {
  delimiter = delimiterByte;
  lastColumn = lastRequested;
  slots = slotCount;
  limit = maxBytes;
}

/** Finds records up to `maxRecords`, from the start of one. Returns their number and sets `next`. */
export function scan(from: i32, to: i32): i32 {
  const end = input + to;
  const separator = i8x16.splat(<i8>delimiter);
  const lf = i8x16.splat(<i8>LF);
  const cr = i8x16.splat(<i8>CR);
  const quote = i8x16.splat(<i8>QUOTE);
  let count: i32 = 0;
  let record = records;
  let start = input + from;
  let cell = start;
  let column: i32 = 0;
  let isOpen = false;
  let isQuoted = false;
  let textStart: usize = 0;
  let textEnd: usize = 0;
  let doubled: u8 = 0;
  let done: usize = start;
  memory.fill(record + 16, 0xff, slots << 2);
  next = from;
  for (let block = start; block < end; block += 64) {
    let marks =
      findMarks(block, separator, lf, cr, quote) |
      (findMarks(block + 16, separator, lf, cr, quote) << 16) |
      (findMarks(block + 32, separator, lf, cr, quote) << 32) |
      (findMarks(block + 48, separator, lf, cr, quote) << 48);
    if (block + 64 > end) marks &= (<u64>1 << <u64>(end - block)) - 1;
    for (; marks != 0; marks &= marks - 1) {
      const at = block + <usize>ctz(marks);
      if (at < done) continue;
      const byte = <u32>load<u8>(at);
      if (byte == QUOTE) {
        if (isOpen) {
          if (at + 1 < end && <u32>load<u8>(at + 1) == QUOTE) {
            doubled = 1;
            done = at + 2;
            continue;
          }
          let after = at + 1;
          while (after < end && <u32>load<u8>(after) == SPACE) after += 1;
          if (after >= end) return count;
          const follower = <u32>load<u8>(after);
          if (follower != delimiter && follower != LF && follower != CR) return count;
          isOpen = false;
          isQuoted = true;
          textEnd = at;
        } else if (!isQuoted) {
          let before = cell;
          while (<u32>load<u8>(before) == SPACE) before += 1;
          if (before != at) continue;
          isOpen = true;
          textStart = at + 1;
          doubled = 0;
        }
        continue;
      }
      if (isOpen) {
        if (byte == delimiter) continue;
        return count;
      }
      const slot: i32 = column <= lastColumn ? <i32>load<i16>(<usize>column << 1) : -1;
      if (slot >= 0) {
        const place = record + 16 + (<usize>slot << 2);
        store<i32>(place, <i32>((isQuoted ? textStart : cell) - input));
        store<i32>(place + maxSlots * 4, <i32>((isQuoted ? textEnd : at) - input));
        store<u8>(record + 16 + maxSlots * 8 + slot, isQuoted ? doubled : 0);
      }
      isQuoted = false;
      if (byte == delimiter) {
        column += 1;
        cell = at + 1;
        continue;
      }
      let following = at + 1;
      if (byte == CR) {
        if (following >= end) return count;
        if (<u32>load<u8>(following) == LF) following += 1;
      }
      if (<i32>(at - start) > limit) return count;
      store<i32>(record, <i32>(start - input));
      store<i32>(record, (column < lastColumn ? column : lastColumn) + 1, 4);
      store<i32>(record, at == start ? 1 : 0, 8);
      count += 1;
      next = <i32>(following - input);
      if (count == maxRecords) return count;
      record += recordBytes;
      memory.fill(record + 16, 0xff, slots << 2);
      start = following;
      cell = following;
      done = following;
      column = 0;
    }
  }
  return count;
}

/** Returns a bit for each of 16 bytes that is a delimiter, a line end or a quotation mark. */
@inline
function findMarks(at: usize, separator: v128, lf: v128, cr: v128, quote: v128): u64 {
  const bytes = v128.load(at);
  const ends = v128.or(i8x16.eq(bytes, lf), i8x16.eq(bytes, cr));
  return <u64>i8x16.bitmask(v128.or(v128.or(i8x16.eq(bytes, separator), i8x16.eq(bytes, quote)), ends));
}
