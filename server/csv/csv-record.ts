import { decodeText } from './encoding.ts';

/** One record as byte ranges. The scanner reuses the object: read it inside its callback only. */
export interface CsvRecord {
  buffer: Buffer;
  /** 1-based number of the record's first line in the file. */
  line: number;
  /** Nothing stands between the line ends. */
  blank: boolean;
  /** Cells seen: all of them, or those up to the last wanted column. */
  count: number;
  /** Byte ranges of the wanted cells, in the order asked for; a start of -1 means that the row is too short. */
  starts: Int32Array;
  ends: Int32Array;
  /** 1 where the cell was quoted and holds doubled quotation marks. */
  doubled: Uint8Array;
}

/** Text of the cell in a slot, decoded and with doubled quotation marks undone; undefined when the row is too short. */
export function cellText(record: CsvRecord, slot: number): string | undefined {
  const start = record.starts[slot] ?? -1;
  if (start < 0) return undefined;
  const text = decodeText(record.buffer, start, record.ends[slot] ?? start);
  return record.doubled[slot] === 1 ? text.replaceAll('""', '"') : text;
}

/** Texts of all cells of a record scanned with `columns: 'all'`. */
export function allCells(record: CsvRecord): string[] {
  return Array.from({ length: record.count }, (_, slot) => cellText(record, slot) ?? '');
}
