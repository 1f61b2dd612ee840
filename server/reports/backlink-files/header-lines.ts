import { candidateDelimiters } from '../../platform/csv/delimiters.ts';
import { readSampleCell } from './choose-column.ts';
import { normalizeHeader } from './column-names.ts';
import { countKnownColumns } from './formats.ts';

/*
 * A file can contain several tables, one below the other, as when exports were joined. Each starts with its header.
 */

/** The columns of a table. */
export interface Header {
  names: readonly string[];
  /** The byte between them. */
  delimiter: number;
}

/** A line that is a header below other rows. */
export interface HeaderLine {
  line: number;
  /** Where the line starts, in bytes. */
  start: number;
}

/**
 * Scores a record as a header: the number of known column names, or 0 if it is not a header. Data may contain a word
 * such as `link`, but a header never contains a URL. A line with a single known name and a bare host is metadata such
 * as `Site,mysite.example`, and one with an IP address is data.
 */
export function scoreHeader(cells: readonly string[]): number {
  const read = cells.map(readSampleCell);
  const known = countKnownColumns(cells.filter((_, i) => read[i]?.host === undefined));
  if (known === 0) return 0;
  const highestWeight = Math.max(...read.map(({ weight }) => weight));
  const hasHost = highestWeight > 0 || read.some(({ problem }) => problem === 'IP address');
  return highestWeight === 3 || (hasHost && known === 1) ? 0 : known;
}

/** A longer line is not a header, in characters. */
export const maxHeaderLength = 4096;
/** URLs, dates and hosts in the first cell occur in data, which most lines are. */
const isData = /:\/\/|\d{4}|^["\s]*[^\s,;|]+\.[a-z]{2,}["\s]*(?:[,;|\t]|$)/i;

/** Reads a line that is a header, whatever its delimiter. Its names are normalized. Undefined for another line. */
export function readHeaderLine(line: string): Header | undefined {
  if (line.length > maxHeaderLength || isData.test(line)) return undefined;
  let best: (Header & { score: number }) | undefined;
  for (const { byte: delimiter } of candidateDelimiters) {
    const character = String.fromCharCode(delimiter);
    if (best !== undefined && !line.includes(character)) continue;
    const cells = line.split(character);
    const score = scoreHeader(cells);
    if (score > (best?.score ?? 0)) best = { score, names: cells.map(normalizeHeader), delimiter };
  }
  return best;
}

/** Whether most names of a header are known, so that it is one even where no header is expected. */
export function isClearHeader({ names }: Header): boolean {
  return countKnownColumns(names) > 1;
}

/** Returns whether two headers are the same, as where a table was continued on another page. */
export function isSameHeader(header: Header, other: Header): boolean {
  const isSame = header.names.join('\n') === other.names.map(normalizeHeader).join('\n');
  return isSame && (header.names.length === 1 || header.delimiter === other.delimiter);
}

/**
 * Finds the next clear header in the start of a file.
 * @param fromLine the first line that can be one
 * @param known the header of the table that it would end
 */
export function findNextHeader(bytes: Buffer, fromLine: number, known: Header): HeaderLine | undefined {
  const text = bytes.toString('latin1');
  const lineEnds = /\r\n?|\n/g;
  for (let line = 1, start = 0; start < text.length; line += 1) {
    const end = lineEnds.exec(text)?.index ?? text.length;
    const isCandidate = line >= fromLine && end - start <= maxHeaderLength && end > start;
    if (isCandidate && !isData.test(text.slice(start, end))) {
      const header = readHeaderLine(bytes.toString('utf8', start, end));
      if (header && isClearHeader(header) && !isSameHeader(header, known)) return { line, start };
    }
    start = lineEnds.lastIndex === 0 ? text.length : lineEnds.lastIndex;
  }
  return undefined;
}

/** Returns where a line starts, in bytes. */
export function findLineStart(bytes: Buffer, line: number): number {
  const text = bytes.toString('latin1');
  const lineEnds = /\r\n?|\n/g;
  for (let i = 1; i < line; i += 1) if (lineEnds.exec(text) === null) return text.length;
  return lineEnds.lastIndex;
}
