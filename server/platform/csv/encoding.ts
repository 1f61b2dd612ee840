import { isAscii, isUtf8 } from 'node:buffer';
import { detectWindowsEncoding, isTypicalCharacter, type WindowsEncoding } from './detect-encoding.ts';

export type Encoding = 'UTF-8' | 'UTF-16LE' | 'UTF-16BE' | WindowsEncoding;

/** Converts a stream to UTF-8. Bytes that need those after them wait for the next call. */
type Transcoder = (bytes: Buffer, atEnd: boolean) => Buffer;

/** A longer run without a line end is converted in parts, so that memory stays bounded. */
const maxWaitingBytes = 131_072;

/** The encoding is guessed from this many bytes of text outside UTF-8. */
const maxEvidenceBytes = 32_768;

const lineEnds = byteSet('\r\n');
const delimiters = byteSet(',;\t|');
const windows1252 = new TextDecoder('windows-1252');

/** Returns the encoding that the byte order mark declares, and the length of the mark in bytes (0 without a mark). */
export function readByteOrderMark(head: Buffer): { encoding: Encoding | undefined; length: number } {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'UTF-8', length: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'UTF-16LE', length: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'UTF-16BE', length: 2 };
  return { encoding: undefined, length: 0 };
}

/**
 * Returns the variant of UTF-16 of bytes without a byte order mark, undefined if they are in another encoding. Every
 * second byte of ASCII in UTF-16 is NUL.
 */
export function guessUtf16(bytes: Buffer): Encoding | undefined {
  const start = bytes.subarray(0, 4096);
  const nuls = [0, 0] as [even: number, odd: number];
  for (let i = 0; i < start.length; i += 1) if (start[i] === 0) nuls[(i % 2) as 0 | 1] += 1;
  if (Math.max(...nuls) <= start.length / 10 || Math.min(...nuls) > start.length / 100) return undefined;
  const encoding = nuls[0] > nuls[1] ? 'UTF-16BE' : 'UTF-16LE';
  const text = new TextDecoder(encoding).decode(start, { stream: true });
  return /[^\P{Cc}\t\r\n]|\ufffd/u.test(text) ? undefined : encoding;
}

/**
 * Guesses the encoding of bytes without a byte order mark: UTF-8 if they are valid UTF-8, even if the end cuts off a
 * character, otherwise the Windows encoding in which the lines that are not UTF-8 look most like text. `complete` is
 * whether the bytes are the whole file.
 */
export function guessEncoding(bytes: Buffer, complete: boolean): Encoding {
  if (isUtf8(bytes)) return 'UTF-8';
  for (let cut = 1; cut <= 3 && !complete; cut += 1) {
    const end = bytes.length - cut;
    if ((bytes[end] ?? 0) > 0xc1 && isUtf8(bytes.subarray(0, end))) return 'UTF-8';
  }
  const lines: Buffer[] = [];
  let length = 0;
  for (let start = 0, end = 0; start < bytes.length && length < maxEvidenceBytes; start = end) {
    end = endOfPart(bytes, start, bytes.length, lineEnds);
    if (isUtf8Text(bytes, start, end)) continue;
    const cells: Buffer[] = [];
    for (let cell = start, cellEnd = 0; cell < end; cell = cellEnd) {
      cellEnd = endOfPart(bytes, cell, end, delimiters);
      if (!isUtf8Text(bytes, cell, cellEnd)) cells.push(bytes.subarray(cell, cellEnd));
    }
    const text = Buffer.concat(cells);
    lines.push(text);
    length += text.length;
  }
  return detectWindowsEncoding(lines);
}

/**
 * Decodes one cell: as UTF-8 if it is valid, else as Windows-1252. Files merged from several sources mix both
 * encodings.
 */
export function decodeText(buffer: Buffer, start: number, end: number): string {
  for (let i = start; i < end; i += 1) {
    if ((buffer[i] ?? 0) > 127) {
      const bytes = buffer.subarray(start, end);
      return isUtf8(bytes) ? bytes.toString('utf8') : windows1252.decode(bytes);
    }
  }
  return buffer.toString('latin1', start, end);
}

/** Returns a function that converts a stream of an encoding to UTF-8; undefined for UTF-8. */
export function createTranscoder(encoding: Encoding): Transcoder | undefined {
  if (encoding === 'UTF-8') return undefined;
  if (encoding !== 'UTF-16LE' && encoding !== 'UTF-16BE') return createWindowsTranscoder(encoding);
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return (bytes, atEnd) => Buffer.from(decoder.decode(bytes, { stream: !atEnd }), 'utf8');
}

/**
 * Files merged from several sources also contain UTF-8. Lines of UTF-8 stay as they are, and in other lines the cells
 * of UTF-8.
 */
function createWindowsTranscoder(encoding: WindowsEncoding): Transcoder {
  const upperHalf = Uint8Array.from({ length: 128 }, (_, i) => i + 128);
  const codes = Uint16Array.from(new TextDecoder(encoding).decode(upperHalf), (one) => one.charCodeAt(0));
  let waiting = Buffer.alloc(0);
  return (bytes, atEnd) => {
    if (waiting.length === 0 && isAscii(bytes)) return bytes;
    const input = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes]);
    const output = Buffer.allocUnsafe(input.length * 3);
    let length = 0;
    let start = 0;
    for (;;) {
      const ascii = start;
      while (start < input.length && (input[start] as number) < 128) start += 1;
      length += input.copy(output, length, ascii, start);
      const end = endOfLine(input, start, atEnd);
      if (end === start) break;
      const isUtf8Line = isUtf8Text(input, start, end);
      while (start < end) {
        const cellEnd = isUtf8Line ? end : endOfPart(input, start, end, delimiters);
        const isUtf8Cell = isUtf8Line || isUtf8Text(input, start, cellEnd);
        for (; start < cellEnd; start += 1) {
          const byte = input[start] as number;
          if (isUtf8Cell || byte < 128) output[length++] = byte;
          else length = writeUtf8(codes[byte - 128] as number, output, length);
        }
      }
    }
    waiting = Buffer.from(input.subarray(start));
    return output.subarray(0, length);
  };
}

/** Returns the end of the line from `start`, which is `start` itself if more of the line is needed. */
function endOfLine(bytes: Buffer, start: number, atEnd: boolean): number {
  let end = start;
  while (end < bytes.length && bytes[end] !== 10 && bytes[end] !== 13) end += 1;
  if (end < bytes.length || atEnd) return end;
  if (end - start <= maxWaitingBytes) return start;
  while (end > start && (bytes[end - 1] as number) > 127) end -= 1;
  return end === start ? bytes.length : end;
}

/** Writes a character from U+0080 to U+FFFF and returns the new length. */
function writeUtf8(code: number, output: Buffer, start: number): number {
  let length = start;
  if (code < 0x800) output[length++] = 0xc0 | (code >> 6);
  else {
    output[length++] = 0xe0 | (code >> 12);
    output[length++] = 0x80 | ((code >> 6) & 0x3f);
  }
  output[length++] = 0x80 | (code & 0x3f);
  return length;
}

function byteSet(characters: string): Uint8Array {
  const set = new Uint8Array(256);
  for (const byte of Buffer.from(characters)) set[byte] = 1;
  return set;
}

/** Returns the position after the next separator, at most `end`. */
function endOfPart(bytes: Buffer, start: number, end: number, separators: Uint8Array): number {
  let at = start;
  while (at < end && separators[bytes[at] as number] === 0) at += 1;
  return Math.min(at + 1, end);
}

/**
 * Returns whether bytes are UTF-8 and not a short text in a Windows encoding that happens to be valid UTF-8, such as
 * the Russian "Её", which would be an unusual character.
 */
function isUtf8Text(bytes: Buffer, start: number, end: number): boolean {
  let first = start;
  while (first < end && (bytes[first] as number) < 128) first += 1;
  if (first === end) return true;
  const second = bytes[first + 1] ?? 0;
  if (second < 0x80 || second > 0xbf) return false;
  const part = bytes.subarray(first, end);
  if (!isUtf8(part)) return false;
  const characters = part.toString('utf8').match(/\P{ASCII}/gu) ?? [];
  return characters.length > 3 || characters.every((one) => one >= '\u0800' || isTypicalCharacter(one));
}
