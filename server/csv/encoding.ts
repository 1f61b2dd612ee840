import { isUtf8 } from 'node:buffer';

export type Encoding = 'UTF-8' | 'UTF-16LE' | 'UTF-16BE' | 'Windows-1252';

const windows1252 = new TextDecoder('windows-1252');

/** Returns the encoding that the byte order mark declares, and the length of the mark in bytes (0 without a mark). */
export function readByteOrderMark(head: Buffer): { encoding: Encoding | undefined; length: number } {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'UTF-8', length: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'UTF-16LE', length: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'UTF-16BE', length: 2 };
  return { encoding: undefined, length: 0 };
}

/**
 * Guesses the encoding of bytes without a byte order mark: UTF-8 if they are valid UTF-8, even if the end cuts off a
 * character, otherwise Windows-1252.
 */
export function guessEncoding(bytes: Buffer): Encoding {
  for (let cut = 0; cut <= 3; cut += 1) {
    if (isUtf8(bytes.subarray(0, Math.max(0, bytes.length - cut)))) return 'UTF-8';
  }
  return 'Windows-1252';
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

/**
 * Returns a function that converts a stream of UTF-16 bytes to UTF-8. Incomplete characters at the end wait for the
 * next call.
 */
export function createUtf16Transcoder(bigEndian: boolean): (bytes: Buffer, atEnd: boolean) => Buffer {
  const decoder = new TextDecoder(bigEndian ? 'utf-16be' : 'utf-16le', { ignoreBOM: true });
  return (bytes, atEnd) => Buffer.from(decoder.decode(bytes, { stream: !atEnd }), 'utf8');
}
