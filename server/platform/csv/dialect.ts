import { allCells } from './csv-record.ts';
import { candidateDelimiters } from './delimiters.ts';
import type { FileHead } from './file-bytes.ts';
import { toShownText } from './linked-cell.ts';
import { splitsToTable } from './quoted-lines.ts';
import { createScanner, NO_DELIMITER } from './scanner.ts';

const maxPreambleLines = 10;
const maxSampleRecords = 200;
const maxFirstRecords = 100;

export interface SampleRecord {
  line: number;
  cells: string[];
}

export interface Dialect {
  /** Delimiter byte, or NO_DELIMITER if each line is one cell. */
  delimiter: number;
  /** 'comma', 'semicolon', 'tab', 'vertical bar', 'none', or the character itself. */
  delimiterName: string;
  /** The header, if a known one was found. */
  header: SampleRecord | undefined;
  /** The first records in this dialect without the `sep=` line and some of those after them, at most 200. */
  sample: SampleRecord[];
  /** Line number of Excel's `sep=;`, which is neither preamble nor data; 0 if there is none. */
  separatorLine: number;
}

/**
 * Detects the delimiter and the header, which must be in the first eleven lines. The start is read with each candidate
 * delimiter; the record with the highest `scoreHeader` above zero is the header and decides the delimiter. Without a
 * header, the delimiter is the one that splits most of the first records into the same number of cells: texts contain
 * commas too, but rarely the same number per line.
 */
export function detectDialect(
  head: Pick<FileHead, 'bytes' | 'complete' | 'delimiter'>,
  scoreHeader: (cells: readonly string[]) => number,
): Dialect {
  const isKnown = head.delimiter !== undefined && !containsLines(head.bytes, head.delimiter);
  const separator = isKnown ? head.delimiter : parseSeparatorLine(head.bytes);
  const candidates =
    separator === undefined
      ? candidateDelimiters
      : [
          {
            byte: separator,
            name: candidateDelimiters.find((one) => one.byte === separator)?.name ?? String.fromCharCode(separator),
          },
        ];
  const separatorLine = separator === undefined || isKnown ? 0 : 1;
  const readings = candidates.map((candidate) => ({
    candidate,
    sample: sampleRecords(head, candidate.byte).filter((record) => record.line > separatorLine),
  }));

  let best: { score: number; dialect: Dialect } | undefined;
  for (const { candidate, sample } of readings) {
    for (const record of sample) {
      if (record.line > maxPreambleLines + 1 + separatorLine) break;
      const header = readHeader(record, sample);
      const score = scoreHeader(header.cells);
      // A row can have a link with a text such as “Website”.
      if (header !== record && score < 2) continue;
      if (score <= (best?.score ?? 0)) continue;
      const isSingle = separator === undefined ? record.cells.length === 1 : isKnown && sample.every(hasOneCell);
      const delimiter = isSingle ? NO_DELIMITER : candidate.byte;
      const delimiterName = isSingle ? 'none' : candidate.name;
      best = { score, dialect: { delimiter, delimiterName, header, sample, separatorLine } };
    }
  }
  if (best !== undefined) {
    const { dialect } = best;
    return dialect.delimiter === NO_DELIMITER ? { ...dialect, sample: sampleRecords(head, NO_DELIMITER) } : dialect;
  }

  let chosen: { score: number; dialect: Dialect } | undefined;
  for (const { candidate, sample } of readings) {
    const score = isKnown && !sample.every(hasOneCell) ? 1 : scoreConsistency(sample);
    if (score <= (chosen?.score ?? 0)) continue;
    const dialect = {
      delimiter: candidate.byte,
      delimiterName: candidate.name,
      header: undefined,
      sample,
      separatorLine,
    };
    chosen = { score, dialect };
  }
  if (chosen !== undefined) return chosen.dialect;
  const sample = sampleRecords(head, NO_DELIMITER).filter((record) => record.line > separatorLine);
  return { delimiter: NO_DELIMITER, delimiterName: 'none', header: undefined, sample, separatorLine };
}

/**
 * Whether the only column of a sheet contains lines of a table that was opened with the wrong delimiter. A first line
 * with a URL is no header, but URLs can contain delimiters.
 */
function containsLines(bytes: Buffer, known: number): boolean {
  const firstLine = bytes.subarray(0, bytes.indexOf(10) + 1);
  if (firstLine.includes('://')) return false;
  const others = candidateDelimiters.filter(({ byte }) => byte !== known);
  return !bytes.includes(known) && others.some(({ byte }) => splitsToTable(bytes, byte));
}

/**
 * Returns a record with the texts of its cells, as those of a header have links to sort by. The record itself is
 * returned if it has no links, or the same text with another link below it, as rows have.
 */
function readHeader(record: SampleRecord, sample: readonly SampleRecord[]): SampleRecord {
  const cells = record.cells.map(toShownText);
  const linked = cells.flatMap((text, column) => (text === record.cells[column] ? [] : [{ text, column }]));
  const isRow = ({ text, column }: (typeof linked)[number]) =>
    sample.some((other) => other !== record && toShownText(other.cells[column] ?? '') === text);
  return linked.length === 0 || linked.some(isRow) ? record : { line: record.line, cells };
}

const hasOneCell = ({ cells }: SampleRecord): boolean => cells.length === 1;

/**
 * Returns the share of the records that have the most frequent number of cells above one, with a higher score for more
 * cells, 0 to 1. It is 0 if fewer than half of the records have that number. Lines that start with `#` are comments and
 * not counted, and neither are the delimiters in a comment after an address.
 */
function scoreConsistency(sample: readonly SampleRecord[]): number {
  const widths = new Map<number, number>();
  let total = 0;
  for (const { cells } of sample) {
    if (cells[0]?.startsWith('#') === true || (cells.length === 1 && cells[0] === '')) continue;
    total += 1;
    if (/^\s*\S+[.]\S+\s+#/.test(cells[0] ?? '')) continue;
    if (cells.length > 1) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
  }
  let best = 0;
  for (const [width, count] of widths) {
    if (count * 2 >= total) best = Math.max(best, (count / total) * (1 - 1 / width));
  }
  return best;
}

/**
 * Returns the first records of the head and some of the others, at equal distances, because a sorted export can start
 * with many rows of one kind. Malformed records and one that the end of the head cuts off are left out.
 */
function sampleRecords(head: { bytes: Buffer; complete: boolean }, delimiter: number): SampleRecord[] {
  let records: SampleRecord[] = [];
  let seen = 0;
  let distance = 1;
  const scanner = createScanner({
    delimiter,
    columns: 'all',
    onRecord: (record) => {
      seen += 1;
      if (seen % distance > 0) return;
      if (records.length === maxSampleRecords) {
        records = records.filter((_, i) => i < maxFirstRecords || i % 2 > 0);
        distance *= 2;
        if (seen % distance > 0) return;
      }
      records.push({ line: record.line, cells: allCells(record) });
    },
    onMalformed: () => {},
  });
  scanner.scan(head.bytes, head.bytes.length, head.complete);
  return records;
}

/** Returns the delimiter byte that a first line such as `sep=;` sets. Excel reads and writes such lines. */
function parseSeparatorLine(bytes: Buffer): number | undefined {
  const match = /^"?sep=([^\w"\r\n])"?[ \t]*(?:\r|\n|$)/i.exec(bytes.toString('latin1', 0, 32));
  return match?.[1]?.charCodeAt(0);
}
