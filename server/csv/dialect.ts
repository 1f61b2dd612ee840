import { allCells } from './csv-record.ts';
import { createScanner, NO_DELIMITER } from './scanner.ts';

const candidateDelimiters = [
  { byte: 9, words: 'tab' },
  { byte: 59, words: 'semicolon' },
  { byte: 44, words: 'comma' },
  { byte: 124, words: 'vertical bar' },
] as const;
const maxPreambleLines = 10;
const maxSampleRecords = 200;

export interface SampleRecord {
  line: number;
  cells: string[];
}

export interface Dialect {
  /** Delimiter byte, or NO_DELIMITER for one cell a line. */
  delimiter: number;
  /** The delimiter in words: 'comma', 'semicolon', 'tab', 'vertical bar', 'none', or the character itself. */
  delimiterName: string;
  /** The known header, when one was found. */
  header: SampleRecord | undefined;
  /** The first records in this dialect (the `sep=` line left out), at most 200. */
  sample: SampleRecord[];
  /** Line of Excel's `sep=;`, which is neither preamble nor data; 0 without one. */
  separatorLine: number;
}

/**
 * Finds the delimiter and, by `scoreHeader`, the header among the first eleven lines. A record that scores above zero as
 * a header settles the delimiter; without one, the delimiter is the one that cuts most of the first records into the
 * same number of cells: text holds commas, but rarely the same number on every line.
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
            words: candidateDelimiters.find((one) => one.byte === separator)?.words ?? String.fromCharCode(separator),
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
      const delimiterName = isSingle ? 'none' : candidate.words;
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
      delimiterName: candidate.words,
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
 * Share of the records with the commonest number of cells above one, weighted towards more cells; 0 when under half of
 * the records have it. Lines that begin with `#` are comments here.
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

/** The first records of the head; damaged ones and a record cut off by the end of the head are left out. */
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
  scanner.scan(head.bytes, head.bytes.length, head.complete);
  return records;
}

/** The delimiter that a first line such as `sep=;` (written and read by Excel) sets. */
function parseSeparatorLine(bytes: Buffer): number | undefined {
  const match = /^"?sep=([^\w"\r\n])"?[ \t]*(?:\r|\n|$)/i.exec(bytes.toString('latin1', 0, 32));
  return match?.[1]?.charCodeAt(0);
}
