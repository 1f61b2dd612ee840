import { decodeText } from '../../platform/csv/encoding.ts';
import { maxRecordBytes } from '../../platform/csv/scanner.ts';

/** Reads the bytes of a file as `scanFile` passes them. */
export interface ByteScanner {
  scan(buffer: Buffer, end: number, atEnd: boolean): number;
}

const LF = 10;
const CR = 13;

/**
 * Creates a scanner that passes each line to `onLine`, with its number. Lines end with LF, CRLF or CR. A line above
 * `limit` bytes is skipped and reported once, so that a file without line ends needs no memory.
 */
export function createLineScanner(
  onLine: (line: string, number: number) => void,
  onLongLine: () => void,
  limit = maxRecordBytes,
): ByteScanner {
  let insideLongLine = false;
  let number = 1;
  let isAfterCr = false;
  return {
    scan(buffer, end, atEnd) {
      const bytes = buffer.subarray(0, end);
      let nextLf = -1;
      let nextCr = -1;
      let at = 0;
      while (at < end) {
        if (nextLf < at) nextLf = findByte(bytes, LF, at);
        if (nextCr < at) nextCr = findByte(bytes, CR, at);
        const eol = Math.min(nextLf, nextCr);
        const isComplete = eol < end || atEnd;
        if (insideLongLine) {
          insideLongLine = !isComplete;
        } else if (eol - at > limit) {
          onLongLine();
          number += 1;
          insideLongLine = !isComplete;
        } else if (!isComplete) {
          return at;
        } else if (eol > at || !isAfterCr || bytes[eol] !== LF) {
          onLine(decodeText(bytes, at, eol), number);
          number += 1;
        }
        isAfterCr = bytes[eol] === CR;
        at = Math.min(eol + 1, end);
      }
      return end;
    },
  };
}

function findByte(bytes: Buffer, byte: number, from: number): number {
  const found = bytes.indexOf(byte, from);
  return found < 0 ? bytes.length : found;
}
