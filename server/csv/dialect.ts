import { allCells } from './csv-record.ts';
import { createScanner, maxRecordBytes, NO_DELIMITER } from './scanner.ts';

const candidateDelimiters = [
  { byte: 9, name: 'tab' },
  { byte: 59, name: 'semicolon' },
  { byte: 44, name: 'comma' },
  { byte: 124, name: 'vertical bar' },
] as const;
const maxPreambleLines = 10;
const maxSampleRecords = 200;
/** Enough for all records of most samples, and more than the longest record, so that each step makes progress. */
const sampleStepBytes = 2 * maxRecordBytes;

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
  /** The first records in this dialect without the `sep=` line, at most 200. */
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
  head: { bytes: Buffer; complete: boolean },
  scoreHeader: (cells: readonly string[]) => number,
): Dialect {
  const separator = parseSeparatorLine(head.bytes);
  const candidates =
    separator === undefined
      ? candidateDelimiters
      : [
          {
            byte: separator,
            name: candidateDelimiters.find((one) => one.byte === separator)?.name ?? String.fromCharCode(separator),
          },
        ];
  const separatorLine = separator === undefined ? 0 : 1;
  const readings = candidates.map((candidate) => ({
    candidate,
    sample: sampleRecords(head, candidate.byte).filter((record) => record.line > separatorLine),
  }));

  let best: { score: number; dialect: Dialect } | undefined;
  for (const { candidate, sample } of readings) {
    for (const record of sample) {
      if (record.line > maxPreambleLines + 1 + separatorLine) break;
      const score = scoreHeader(record.cells);
      if (score <= (best?.score ?? 0)) continue;
      const isSingle = record.cells.length === 1 && separator === undefined;
      const delimiter = isSingle ? NO_DELIMITER : candidate.byte;
      const delimiterName = isSingle ? 'none' : candidate.name;
      best = { score, dialect: { delimiter, delimiterName, header: record, sample, separatorLine } };
    }
  }
  if (best !== undefined) {
    const { dialect } = best;
    return dialect.delimiter === NO_DELIMITER ? { ...dialect, sample: sampleRecords(head, NO_DELIMITER) } : dialect;
  }

  let chosen: { score: number; dialect: Dialect } | undefined;
  for (const { candidate, sample } of readings) {
    const score = scoreConsistency(sample);
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
 * Returns the share of the records that have the most frequent number of cells above one, with a higher score for more
 * cells, 0 to 1. It is 0 if fewer than half of the records have that number. Lines that start with `#` are comments and
 * not counted.
 */
function scoreConsistency(sample: readonly SampleRecord[]): number {
  const widths = new Map<number, number>();
  let total = 0;
  for (const { cells } of sample) {
    if (cells[0]?.startsWith('#') === true || (cells.length === 1 && cells[0] === '')) continue;
    total += 1;
    if (cells.length > 1) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
  }
  let best = 0;
  for (const [width, count] of widths) {
    if (count * 2 >= total) best = Math.max(best, (count / total) * (1 - 1 / width));
  }
  return best;
}

/** Returns the first records of the head, without malformed ones and one that the end of the head cuts off. */
function sampleRecords(head: { bytes: Buffer; complete: boolean }, delimiter: number): SampleRecord[] {
  const records: SampleRecord[] = [];
  const scanner = createScanner({
    delimiter,
    columns: 'all',
    onRecord: (record) => {
      if (records.length < maxSampleRecords) records.push({ line: record.line, cells: allCells(record) });
    },
    onMalformed: () => {},
  });
  const { bytes, complete } = head;
  for (let at = 0, end = 0; records.length < maxSampleRecords && end < bytes.length; ) {
    end = Math.min(at + sampleStepBytes, bytes.length);
    at += scanner.scan(bytes.subarray(at), end - at, complete && end === bytes.length);
  }
  return records;
}

/** Returns the delimiter byte that a first line such as `sep=;` sets. Excel reads and writes such lines. */
function parseSeparatorLine(bytes: Buffer): number | undefined {
  const match = /^"?sep=([^\w"\r\n])"?[ \t]*(?:\r|\n|$)/i.exec(bytes.toString('latin1', 0, 32));
  return match?.[1]?.charCodeAt(0);
}
