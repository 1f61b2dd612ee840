import type { CsvRecord } from '../../platform/csv/csv-record.ts';

const COMMA = 44;
const SPACE = 32;
const ZERO = 48;

/** Returns the whole number at the start of a cell, without separators of thousands; -1 for another text. */
export function readCount({ buffer, starts, ends }: CsvRecord, slot: number): number {
  const start = starts[slot] ?? -1;
  const end = ends[slot] ?? start;
  let count = -1;
  for (let i = start; i >= 0 && i < end; i += 1) {
    const byte = buffer[i] as number;
    const digit = byte - ZERO;
    if (digit >= 0 && digit <= 9) count = count < 0 ? digit : count * 10 + digit;
    else if (count < 0 ? byte !== SPACE : byte !== COMMA) return count;
  }
  return count;
}
