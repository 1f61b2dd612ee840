import type { CsvRecord } from './csv-record.ts';
import { hasRoomFor, type LineCells, type LineScanner, maxLines, withLineScanner } from './line-scanner.ts';

/*
 * Finds CSV records in bytes. Plain records, which are nearly all of a large file, are found with WebAssembly
 * (`line-scanner.ts`), others byte by byte. Cells are reported as byte ranges, so that callers decode only the cells
 * they need.
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

/** Shorter bytes are scanned sooner than they are copied. */
const minLineBytes = 4096;

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
  /** Whether plain records are found with WebAssembly. Default: where that is possible and worth it. */
  findsLines?: boolean;
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
  const starts = new Int32Array(slots).fill(-1);
  const ends = new Int32Array(slots);
  const doubled = new Uint8Array(slots);
  const layout = { delimiter, slotByColumn, slots, limit };
  const canFindLines = columns !== 'all' && delimiter !== NO_DELIMITER && hasRoomFor(layout);
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
  let end = 0;
  let atEnd = false;
  let nextLf = -1;
  let nextCr = -1;
  let nextQuote = -1;
  // Results of `scanQuotedCell`: the end of the cell's text, whether it has doubled marks, and line ends in the record
  // so far.
  let cellEnd = 0;
  let cellDoubled = 0;
  let newlines = 0;

  function scan(buffer: Buffer, length: number, last: boolean): number {
    view = buffer.subarray(0, length);
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
    const findsLines = canFindLines && (options.findsLines ?? end - at >= minLineBytes);
    if (!findsLines) return scanRecords(at, undefined);
    return withLineScanner((lines) => {
      lines.configure(layout);
      lines.load(view);
      return scanRecords(at, lines);
    });
  }

  /** Scans the records from the start of one. */
  function scanRecords(from: number, lines: LineScanner | undefined): number {
    let at = from;
    while (at < end) {
      if (lines !== undefined) {
        at = takeLines(lines, at);
        if (isStopped || at === end) return at;
      }
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

  /** Passes on plain records, as many as there are. @returns where the next record starts */
  function takeLines(lines: LineScanner, from: number): number {
    let at = from;
    for (;;) {
      const found = lines.find(at, end);
      for (let i = 0; i < found; i += 1) {
        const start = lines.head(i, 0);
        const cells = lines.cells[i] as LineCells;
        record.starts = cells.starts;
        record.ends = cells.ends;
        record.doubled = cells.doubled;
        record.start = start;
        record.line = line;
        record.count = lines.head(i, 1);
        record.blank = lines.head(i, 2) === 1;
        onRecord(record);
        if (isStopped) return start;
        line += 1;
      }
      at = lines.next();
      if (found < maxLines) return at;
    }
  }

  /** Scans a record on a line without quotation marks. */
  function scanPlainLine(at: number, eol: number): void {
    const bytes = view;
    if (columns !== 'all') starts.fill(-1);
    let column = 0;
    for (let start = at; ; column += 1) {
      let stop = start;
      while (stop < eol && bytes[stop] !== delimiter) stop += 1;
      setCell(column, start, stop, 0);
      if (stop === eol || column === lastColumn) break;
      start = stop + 1;
    }
    emitRecord(at, column + 1, at === eol);
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
      let open = start;
      while (open < eol && bytes[open] === SPACE) open += 1;
      let after = -1;
      if (open < eol && bytes[open] === QUOTE) {
        after = scanQuotedCell(open + 1, stop);
        if (after === NEED_MORE || after === MALFORMED) return after;
        if (after !== LITERAL) {
          setCell(column, open + 1, cellEnd, cellDoubled);
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
        setCell(column, start, after, 0);
      }
      column += 1;
      if (after >= eol) break;
      start = after + 1;
    }
    emitRecord(at, Math.min(column, lastColumn + 1), false);
    return afterLineEnd(eol);
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
    const slot = slotByColumn[column] ?? -1;
    if (slot < 0) return;
    starts[slot] = start;
    ends[slot] = stop;
    doubled[slot] = isDoubled;
  }

  function emitRecord(start: number, count: number, blank: boolean): void {
    record.starts = starts;
    record.ends = ends;
    record.doubled = doubled;
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
