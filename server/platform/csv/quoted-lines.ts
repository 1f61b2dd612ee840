import { allCells, cellText } from './csv-record.ts';
import { candidateDelimiters } from './delimiters.ts';
import { createScanner } from './scanner.ts';

/*
 * A table that a spreadsheet opened with the wrong delimiter and saved again has whole lines in quotation marks: each
 * line became one cell. Lines without commas or quotation marks can have stayed as they were.
 */

const LF = 10;
const CR = 13;
const QUOTE = 34;
/** Share of the lines that must have the same number of cells without the quotation marks. */
const minEvenShare = 0.9;
/** Share of the lines with several cells that must have as many as the header. */
const minShareBelowHeader = 2 / 3;
/** A table can be opened with the wrong delimiter and saved again several times. */
const maxWraps = 3;
/** A longer line is passed on as it is. */
const maxLineBytes = 65_536;

/** Whether the lines of a file split into the cells of a table only without the quotation marks around some of them. */
export function hasQuotedLines(bytes: Buffer): boolean {
  if (!bytes.includes(QUOTE)) return false;
  const quoted: Buffer[] = [];
  const text = createUnwrapper((line) => quoted.push(line, Buffer.from('\n')))(bytes, true);
  if (quoted.length === 0) return false;
  const lines = Buffer.concat(quoted);
  return candidateDelimiters.some(({ byte }) => splitsToTable(lines, byte) && splitsToTable(text, byte));
}

/**
 * Whether lines are a table: nearly all have the same number of cells above one, or most of those with several cells
 * have as many as the first one, which is a header because it has no URL. Lines with one cell, such as a title, are
 * fewer.
 */
export function splitsToTable(bytes: Buffer, delimiter: number): boolean {
  const widths = new Map<number, number>();
  let total = 0;
  let headerWidth = 0;
  const scanner = createScanner({
    delimiter,
    columns: 'all',
    onRecord: (record) => {
      const { count } = record;
      const isBlank = record.blank || (count === 1 && record.starts[0] === record.ends[0]);
      if (isBlank || (count === 2 && cellText(record, 0) === 'sep=')) return;
      if (headerWidth === 0 && count > 1)
        headerWidth = allCells(record).some((cell) => cell.includes('://')) ? 1 : count;
      total += 1;
      widths.set(count, (widths.get(count) ?? 0) + 1);
    },
    onMalformed: () => {
      total += 1;
    },
  });
  scanner.scan(bytes, bytes.length, true);
  if ([...widths].some(([width, lines]) => width > 1 && lines >= total * minEvenShare)) return true;
  const single = widths.get(1) ?? 0;
  const even = headerWidth > 1 ? (widths.get(headerWidth) ?? 0) : 0;
  return even > 1 && even > single && even >= (total - single) * minShareBelowHeader;
}

/**
 * Returns a function that removes the quotation marks around whole lines from a stream. Bytes that need those after
 * them wait for the next call.
 * @param onQuoted receives what is in quotation marks
 */
export function createUnwrapper(onQuoted?: (line: Buffer) => void): (bytes: Buffer, atEnd: boolean) => Buffer {
  let waiting = Buffer.alloc(0);
  return (bytes, atEnd) => {
    const input = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes]);
    const output: Buffer[] = [];
    let start = 0;
    while (start < input.length) {
      const end = findLineEnd(input, start);
      if (end === input.length && !atEnd && end - start <= maxLineBytes) break;
      const line = input.subarray(start, end);
      const inner = findQuoted(line);
      if (inner !== undefined) onQuoted?.(inner);
      output.push(inner ?? line, input.subarray(end, end + 1));
      start = end + 1;
    }
    // The bytes of the caller change with its next call.
    waiting = Buffer.from(input.subarray(start));
    return Buffer.concat(output);
  };
}

function findLineEnd(bytes: Buffer, start: number): number {
  const lf = bytes.indexOf(LF, start);
  const end = lf < 0 ? bytes.length : lf;
  const cr = bytes.subarray(start, end).indexOf(CR);
  return cr < 0 ? end : start + cr;
}

const emptyCells = /[,;\t| ]{1,1000}$/;

/**
 * Returns what is in quotation marks if nothing but empty cells is outside of them; undefined for another line, and for
 * a formula.
 */
function findQuoted(line: Buffer): Buffer | undefined {
  if (line[0] !== QUOTE || line.length > maxLineBytes) return undefined;
  let text = line.toString('latin1');
  let wraps = 0;
  for (; wraps < maxWraps; wraps += 1) {
    const outer = text.replace(emptyCells, '');
    if (!/^"(?!=)(?:[^"]|"")+"$/.test(outer)) break;
    text = outer.slice(1, -1).replaceAll('""', '"');
  }
  return wraps === 0 ? undefined : Buffer.from(text, 'latin1');
}
