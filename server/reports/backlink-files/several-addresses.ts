import { normalizeHost } from '../../hostnames/hosts/hosts.ts';
import type { CsvRecord } from '../../platform/csv/csv-record.ts';
import { decodeText } from '../../platform/csv/encoding.ts';

/** The bytes of a cell from a position up to another one. */
type ByteRange = readonly [start: number, end: number];

const separator = /([,;|]?[ \t\r\n]+|[,;|](?=https?:\/\/))/i;
const scheme = /^https?:\/\//i;

const SPACE = 32;
const LOWER_H = 104;
const SLASH = 47;
const COLON = 58;
/** The start of a list in JSON. */
const BRACKET = 91;
/** The longest scheme, `https://`. */
const schemeBytes = 8;

/**
 * Whether a cell can contain several addresses: another scheme after a first one, otherwise a space. Every third byte
 * tells whether there is a scheme, because searching all bytes takes about as long as reading the host.
 */
function mayHaveSeveral(bytes: Buffer, start: number, end: number): boolean {
  const isUrl = bytes[start] === LOWER_H && (bytes[start + 4] === COLON || bytes[start + 5] === COLON);
  if (!isUrl) {
    for (let i = start; i < end; i += 1) if ((bytes[i] as number) <= SPACE) return true;
    return bytes[start] === BRACKET;
  }
  for (let i = start + schemeBytes; i < end; i += 3) {
    const byte = bytes[i];
    if (byte === COLON && bytes[i + 1] === SLASH && bytes[i + 2] === SLASH) return true;
    if (byte !== SLASH) continue;
    const before = bytes[i - 1];
    if (before === COLON ? bytes[i + 1] === SLASH : before === SLASH && bytes[i - 2] === COLON) return true;
  }
  return false;
}

/** What can be between addresses beside white space. */
const betweenAddresses = /^(?:[,;|&+\s]*|and|und|et|y|e|en|i)$/i;
/** The mark of an item of a list, in the bytes of UTF-8, or its number. */
const listMark = /^(?:[-*+]|\xe2\x80[\x93\x94\xa2]|\(?\d{1,5}[.)])\s/;

/** A URL of a list in JSON. In a quoted cell, quotation marks are doubled. */
const quoted = /["'](https?:\/\/[^"'\s]+)/dgi;
/** The address of a link in HTML. */
const href = /\bhref\s*=\s*(?:"{1,2}([^"]+)|'([^']+)|([^\s"'>]+))/dgi;

/**
 * Returns where the addresses are in the first cell of a record, if it contains several with nothing but the marks of a
 * list, or several links in HTML or URLs in JSON; undefined otherwise. URLs can contain commas, and pages can have
 * spaces in their names.
 */
export function findSeveralAddresses({ buffer, starts, ends }: CsvRecord): readonly ByteRange[] | undefined {
  const start = starts[0] as number;
  const end = ends[0] as number;
  if (!mayHaveSeveral(buffer, start, end)) return undefined;
  // In Latin-1, each character is a byte.
  const cell = buffer.toString('latin1', start, end);
  const links = cell.startsWith('<') ? href : /^\[\s*["']/.test(cell) ? quoted : undefined;
  if (links !== undefined) {
    const found = [...cell.matchAll(links)].flatMap(({ indices = [] }) =>
      indices.slice(1).filter((range) => range !== undefined),
    );
    return found.length > 1 ? found.map(([from, to]) => [start + from, start + to] as const) : undefined;
  }
  if (!separator.test(cell)) return undefined;
  const ranges: ByteRange[] = [];
  let schemes = 0;
  let at = start;
  const isMarked = listMark.test(cell);
  for (const part of cell.split(separator)) {
    const range = [at, at + part.length] as const;
    at += part.length;
    if (betweenAddresses.test(part) || (isMarked && listMark.test(`${part} `))) continue;
    if (normalizeHost(decodeText(buffer, ...range)) === undefined) return undefined;
    if (scheme.test(part)) schemes += 1;
    ranges.push(range);
  }
  const isList = ranges.length > 1 && (schemes === 0 || schemes === ranges.length);
  return isList ? ranges : undefined;
}
