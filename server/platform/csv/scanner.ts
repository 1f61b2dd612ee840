import type { CsvRecord } from './csv-record.ts';

/*
 * Finds CSV records in bytes. Native searches (memchr) find line ends and quotation marks. A line without a quotation
 * mark is scanned only up to the last requested column; other lines are scanned byte by byte. Cells are reported as
 * byte ranges, so that callers decode only the cells they need.
 *
 * The grammar is a lenient RFC 4180:
 * - A line ends with LF, CRLF or CR. Spaces around a quoted cell are ignored.
 * - A quotation mark that neither closes its cell nor is doubled is literal text, as long as the cell stays on one
 *   line.
 * - A record is malformed if a quoted cell continues on another line and then meets such a mark, the end of the file or
 *   the record limit. Its first line is reported and scanning continues on the next line, so that no later row is lost.
 * - A line above the limit is malformed and skipped to its end.
 *
 * Scanning takes linear time for any input: a second quoted cell cannot start inside the bytes that an unclosed cell
 * has scanned without ending it, so every byte is read a bounded number of times.
 */

/** Default limit of a record, in bytes. */
export const maxRecordBytes = 65_536;

const LF = 10;
const CR = 13;
const SPACE = 32;
const QUOTE = 34;

/** A delimiter that never occurs inside a line, so that each line is one cell. */
export const NO_DELIMITER = LF;

export interface ScannerOptions {
  /** Delimiter byte, or NO_DELIMITER. */
  delimiter: number;
  /**
   * Zero-based columns to report, in the order of their slots. The slot of a column -1 stays empty, as if every row
   * were too short for it. With 'all', slot and column are equal and slots from `count` on are invalid.
   */
  columns: readonly number[] | 'all';
  /** Number of the first line; 1 by default. */
  firstLine?: number;
  /** Maximum length of a record, in bytes. */
  limit?: number;
  onRecord(record: CsvRecord): void;
  /** `start` to `end` is the part of the malformed line that is in the buffer. */
  onMalformed(line: number, buffer: Buffer, start: number, end: number): void;
}

export interface Scanner {
  /**
   * Scans `buffer` up to `end` and returns how many bytes are finished. The caller must pass the rest, which is at most
   * two bytes longer than the limit, again at the start of the next buffer. `atEnd` means that no more bytes follow.
   */
  scan(buffer: Buffer, end: number, atEnd: boolean): number;
  /** Lets the current call of `scan` return before the current record, which then counts as not finished. */
  stop(): void;
}

// Results of the scan functions that are not positions.
const NEED_MORE = -1;
const MALFORMED = -2;
const LITERAL = -3;

/** Creates a scanner for one stream of bytes in UTF-8 or another ASCII-compatible encoding. */
export function createScanner(options: ScannerOptions): Scanner {
  const { delimiter, columns, onRecord, onMalformed } = options;
  const limit = options.limit ?? maxRecordBytes;
  const slots = columns === 'all' ? limit + 2 : columns.length;
  const lastColumn = columns === 'all' ? limit + 2 : Math.max(...columns);
  const slotByColumn = new Int32Array(lastColumn + 1).fill(-1);
  if (columns === 'all') for (let i = 0; i < slots; i += 1) slotByColumn[i] = i;
  else for (const [slot, column] of columns.entries()) if (column >= 0) slotByColumn[column] = slot;
  /** For each column, the first requested one from it on; -1 after the last one. */
  const nextRequested = new Int32Array(lastColumn + 2).fill(-1);
  for (let i = lastColumn; i >= 0; i -= 1) {
    nextRequested[i] = (slotByColumn[i] as number) >= 0 ? i : (nextRequested[i + 1] as number);
  }
  const starts = new Int32Array(slots).fill(-1);
  const ends = new Int32Array(slots);
  const doubled = new Uint8Array(slots);
  const fourDelimiters = delimiter * 0x01010101;
  const record: CsvRecord = {
    buffer: Buffer.alloc(0),
    start: 0,
    line: 0,
    blank: false,
    count: 0,
    starts,
    ends,
    doubled,
  };

  let line = options.firstLine ?? 1;
  let insideLongLine = false;
  let isStopped = false;
  // The bytes of the current call, and the next LF, CR and quotation mark at or after the current position.
  let view: Buffer = Buffer.alloc(0);
  /** The same bytes, to read several at a time. */
  let words = new DataView(view.buffer);
  let end = 0;
  let atEnd = false;
  let nextLf = -1;
  let nextCr = -1;
  let nextQuote = -1;
  // Result of `skipCells`.
  let skipped = 0;
  // Results of `scanQuotedCell`: the end of the cell's text, whether it has doubled marks, and line ends in the record
  // so far.
  let cellEnd = 0;
  let cellDoubled = 0;
  let newlines = 0;

  function scan(buffer: Buffer, length: number, last: boolean): number {
    view = buffer.subarray(0, length);
    words = new DataView(view.buffer, view.byteOffset, length);
    end = length;
    atEnd = last;
    nextLf = nextCr = nextQuote = -1;
    record.buffer = view;
    isStopped = false;
    let at = 0;
    if (insideLongLine) {
      const eol = lineEnd(0);
      if (eol === end) return end;
      if (splitsCrLf(eol)) return eol;
      insideLongLine = false;
      line += 1;
      at = afterLineEnd(eol);
    }
    while (at < end) {
      const eol = lineEnd(at);
      if (eol - at > limit) {
        onMalformed(line, view, at, eol);
        if (eol === end || splitsCrLf(eol)) {
          insideLongLine = !atEnd;
          return eol;
        }
        line += 1;
        at = afterLineEnd(eol);
        continue;
      }
      if ((eol === end && !atEnd) || splitsCrLf(eol)) return at;
      if (nextQuote < at) nextQuote = find(QUOTE, at);
      if (nextQuote >= eol) {
        scanPlainLine(at, eol);
        if (isStopped) return at;
        line += 1;
        at = afterLineEnd(eol);
        continue;
      }
      const lf = nextLf;
      const cr = nextCr;
      const quote = nextQuote;
      const next = scanQuotedRecord(at, eol);
      if (next === NEED_MORE || isStopped) return at;
      if (next === MALFORMED) {
        onMalformed(line, view, at, eol);
        nextLf = lf;
        nextCr = cr;
        nextQuote = quote;
        line += 1;
        at = afterLineEnd(eol);
      } else {
        line += 1 + newlines;
        at = next;
      }
    }
    return at;
  }

  /** Scans a record on a line without quotation marks. */
  function scanPlainLine(at: number, eol: number): void {
    const bytes = view;
    const separator = delimiter;
    if (columns !== 'all') starts.fill(-1);
    let column = 0;
    let start = at;
    for (let next = nextRequested[0] as number; next >= 0; next = nextRequested[column] as number) {
      start = skipCells(start, next - column, eol);
      column += skipped;
      if (column < next) break;
      let stop = start;
      while (stop < eol && bytes[stop] !== separator) stop += 1;
      setCell(column, start, stop, 0);
      if (stop === eol) break;
      start = stop + 1;
      column += 1;
    }
    emitRecord(at, Math.min(column, lastColumn) + 1, at === eol);
  }

  /**
   * Scans a record whose first line has quotation marks. Returns where the next record starts, NEED_MORE or MALFORMED.
   */
  function scanQuotedRecord(at: number, firstEol: number): number {
    const bytes = view;
    const stop = at + limit + 1;
    if (columns !== 'all') starts.fill(-1);
    newlines = 0;
    let eol = firstEol;
    let column = 0;
    let start = at;
    for (;;) {
      if (column <= lastColumn && column < (nextRequested[column] as number)) {
        // Cells before the next quotation mark cannot contain line ends.
        if (nextQuote < start) nextQuote = find(QUOTE, start);
        start = skipCells(start, (nextRequested[column] as number) - column, Math.min(nextQuote, eol));
        column += skipped;
      }
      // After the last requested column, only quoted cells matter, because they can contain line ends.
      let open = column > lastColumn ? findOpeningQuote(start, eol) : start;
      while (open < eol && bytes[open] === SPACE) open += 1;
      let after = open === eol && column > lastColumn ? eol : -1;
      if (open < eol && bytes[open] === QUOTE) {
        after = scanQuotedCell(open + 1, stop);
        if (after === NEED_MORE || after === MALFORMED) return after;
        if (after === LITERAL) {
          if (column > lastColumn) start = open;
        } else {
          if (column <= lastColumn) setCell(column, open + 1, cellEnd, cellDoubled);
          if (after > eol) {
            eol = lineEnd(after);
            if (eol >= stop) return MALFORMED;
            if ((eol === end && !atEnd) || splitsCrLf(eol)) return NEED_MORE;
          }
        }
      }
      if (after < 0) {
        after = start;
        while (after < eol && bytes[after] !== delimiter) after += 1;
        if (column <= lastColumn) setCell(column, start, after, 0);
      }
      column += 1;
      if (after >= eol) break;
      start = after + 1;
    }
    emitRecord(at, Math.min(column, lastColumn + 1), false);
    return afterLineEnd(eol);
  }

  /**
   * Skips up to `count` cells from the start of a cell, as far as they end before `bound`. Returns the start of the
   * next cell and sets `skipped` to the number of skipped cells. Counts delimiters in eight bytes at a time, because
   * the columns with flags are far from the first one.
   */
  function skipCells(from: number, count: number, bound: number): number {
    const bytes = view;
    const data = words;
    const separator = delimiter;
    const pattern = fourDelimiters;
    let left = count;
    let i = from;
    for (; i + 8 <= bound; i += 8) {
      const marks =
        markZeroBytes(data.getInt32(i, true) ^ pattern) + markZeroBytes(data.getInt32(i + 4, true) ^ pattern);
      // The highest byte of the product is the sum of all bytes.
      const found = Math.imul(marks, 0x01010101) >>> 24;
      if (found >= left) break;
      left -= found;
    }
    for (; left > 0 && i < bound; i += 1) if (bytes[i] === separator) left -= 1;
    skipped = count - left;
    while (i > from && bytes[i - 1] !== separator) i -= 1;
    return i;
  }

  /**
   * Returns the next quotation mark from `start` that opens a cell on this line, or the end of the line. `start` is the
   * start of a cell.
   */
  function findOpeningQuote(start: number, eol: number): number {
    const bytes = view;
    for (let from = start; ; from = nextQuote + 1) {
      if (nextQuote < from) nextQuote = bytes[from] === QUOTE ? from : find(QUOTE, from);
      if (nextQuote >= eol) return eol;
      let before = nextQuote - 1;
      while (before >= from && bytes[before] === SPACE) before -= 1;
      if (before < start || bytes[before] === delimiter) return nextQuote;
    }
  }

  /**
   * Scans a quoted cell from `at`, after its opening mark. Returns the position of the delimiter, line end or file end
   * after it and sets `cellEnd` and `cellDoubled`. Otherwise returns NEED_MORE, MALFORMED, or LITERAL if its quotation
   * marks are literal text.
   */
  function scanQuotedCell(at: number, stop: number): number {
    const bytes = view;
    const bound = Math.min(end, stop);
    let stray = false;
    let crossed = false;
    cellDoubled = 0;
    let i = at;
    while (i < bound) {
      const byte = bytes[i] as number;
      if (byte > QUOTE && !stray) {
        i += 1;
      } else if (byte === QUOTE) {
        if (bytes[i + 1] === QUOTE && i + 1 < end) {
          cellDoubled = 1;
          i += 2;
          continue;
        }
        let next = i + 1;
        while (next < bound && bytes[next] === SPACE) next += 1;
        if (next >= stop) return MALFORMED;
        if (next === end && !atEnd) return NEED_MORE;
        const follower = bytes[next];
        if (next === end || follower === delimiter || follower === LF || follower === CR) {
          cellEnd = i;
          return next;
        }
        if (crossed) return MALFORMED;
        stray = true;
        i += 1;
      } else if (byte === LF || byte === CR) {
        if (stray) return LITERAL;
        crossed = true;
        newlines += 1;
        i += byte === CR && bytes[i + 1] === LF ? 2 : 1;
      } else {
        i += 1;
        if (byte !== delimiter || !stray) continue;
        let next = i;
        while (next < bound && bytes[next] === SPACE) next += 1;
        if (next === end && !atEnd) return NEED_MORE;
        if (bytes[next] === QUOTE) return LITERAL;
      }
    }
    if (i >= stop) return MALFORMED;
    if (!atEnd) return NEED_MORE;
    return stray ? LITERAL : MALFORMED;
  }

  function setCell(column: number, start: number, stop: number, isDoubled: number): void {
    const slot = slotByColumn[column] as number;
    if (slot < 0) return;
    starts[slot] = start;
    ends[slot] = stop;
    doubled[slot] = isDoubled;
  }

  function emitRecord(start: number, count: number, blank: boolean): void {
    record.start = start;
    record.line = line;
    record.count = count;
    record.blank = blank;
    onRecord(record);
  }

  function find(byte: number, from: number): number {
    const found = view.indexOf(byte, from);
    return found < 0 ? end : found;
  }

  function lineEnd(from: number): number {
    if (nextLf < from) nextLf = find(LF, from);
    if (nextCr < from) nextCr = find(CR, from);
    return nextLf < nextCr ? nextLf : nextCr;
  }

  function splitsCrLf(eol: number): boolean {
    return !atEnd && eol === end - 1 && view[eol] === CR;
  }

  function afterLineEnd(eol: number): number {
    if (eol >= end) return end;
    return view[eol] === CR && eol + 1 < end && view[eol + 1] === LF ? eol + 2 : eol + 1;
  }

  function stop(): void {
    isStopped = true;
  }

  return { scan, stop };
}

/** Returns a word with 1 in each byte in which `word` has 0, and 0 in the other bytes. */
function markZeroBytes(word: number): number {
  // The highest bit of each byte is set unless the byte is zero: the sum of the lower seven bits carries into it.
  const nonZero = ((word & 0x7f7f7f7f) + 0x7f7f7f7f) | word;
  return (~nonZero >>> 7) & 0x01010101;
}
