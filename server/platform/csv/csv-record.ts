import { decodeText } from './encoding.ts';

/** One record as byte ranges. The scanner reuses the object, so read it only inside the callback. */
export interface CsvRecord {
  buffer: Buffer;
  /** Where the record starts in the buffer. */
  start: number;
  /** 1-based number of the record's first line in the file. */
  line: number;
  /** The line is empty. */
  blank: boolean;
  /** Number of cells: all of them, or those up to the last requested column. */
  count: number;
  /** Byte ranges of the requested cells, in the requested order; a start of -1 means that the row is too short. */
  starts: Int32Array;
  ends: Int32Array;
  /** 1 if the cell is quoted and contains doubled quotation marks. */
  doubled: Uint8Array;
}

/**
 * Returns the decoded text of the cell in a slot, with doubled quotation marks undone; undefined if the row is too
 * short.
 */
export function cellText(record: CsvRecord, slot: number): string | undefined {
  const start = record.starts[slot] ?? -1;
  if (start < 0) return undefined;
  const text = decodeText(record.buffer, start, record.ends[slot] ?? start);
  return record.doubled[slot] === 1 ? text.replaceAll('""', '"') : text;
}

/** Returns the texts of all cells of a record scanned with `columns: 'all'`. */
export function allCells(record: CsvRecord): string[] {
  return Array.from({ length: record.count }, (_, slot) => cellText(record, slot) ?? '');
}
