import { isAscii } from 'node:buffer';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { createTranscoder, type Encoding, guessEncoding, guessUtf16, readByteOrderMark } from './encoding.ts';
import { createUnwrapper, hasQuotedLines } from './quoted-lines.ts';
import { rejectBinary, rejectOtherText } from './reject-other-formats.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** How many bytes `readHead` reads, unless it is told otherwise. */
export const headBytes = 262_144;
/** Text outside ASCII only in this many bytes at the end of the head is too little to recognize its encoding. */
const minEvidenceBytes = 4096;

/** The start of a file, for detecting its format. */
export interface FileHead {
  /** UTF-8 bytes without a byte order mark. */
  bytes: Buffer;
  /** Undefined if the head is ASCII and not the whole file, so that `scanFile` recognizes the encoding later. */
  encoding: Encoding | undefined;
  /** Length of the byte order mark in the file, in bytes. */
  markBytes: number;
  /** Whether `bytes` is the whole file. */
  complete: boolean;
  /** Whether whole lines of the file are in quotation marks, which `bytes` has no longer. */
  hasQuotedLines?: boolean;
  /** The delimiter byte if it is known, as that of a sheet that was unpacked. */
  delimiter?: number | undefined;
}

/**
 * Reads the start of a file.
 * @throws UnreadableFile if the file is empty or not delimited text; JSON is accepted with `allowJson`
 */
export async function readHead(path: string, options: { bytes?: number; allowJson?: boolean } = {}): Promise<FileHead> {
  const handle = await open(path);
  try {
    const { bytes: head, complete } = await readPart(handle, 0, options.bytes ?? headBytes);
    const mark = readByteOrderMark(head);
    const unmarked = mark.encoding ?? guessUtf16(head);
    rejectBinary(head, unmarked === 'UTF-16LE' || unmarked === 'UTF-16BE');
    const stored: Buffer = head.subarray(mark.length);
    const isOpen = !complete && isAscii(stored.subarray(0, -minEvidenceBytes));
    const encoding = unmarked ?? (isOpen ? undefined : guessEncoding(stored, complete));
    const bytes = (encoding && createTranscoder(encoding)?.(stored, complete)) ?? stored;
    rejectOtherText(bytes.toString('utf8'), options);
    const isQuoted = hasQuotedLines(bytes);
    const lines = isQuoted ? createUnwrapper()(bytes, complete) : bytes;
    return { bytes: lines, encoding, markBytes: mark.length, complete, hasQuotedLines: isQuoted };
  } finally {
    await handle.close();
  }
}

/** Returns the bytes from a position, and whether they are all that follow it. */
async function readPart(handle: FileHandle, position: number, maxBytes: number, growing?: GrowingFile) {
  const part = Buffer.alloc(maxBytes);
  let length = 0;
  for (;;) {
    const { bytesRead } = await readMore(handle, [part, length, maxBytes - length, position + length], growing);
    length += bytesRead;
    if (bytesRead === 0 || length === maxBytes) break;
  }
  return { bytes: part.subarray(0, length), complete: length < maxBytes };
}

/** A file that is still being written. */
export interface GrowingFile {
  /** Aborts when all bytes have been written. */
  complete: AbortSignal;
  /** About how long the file will be, in bytes. */
  expectedBytes: number;
}

/** How long to wait at the end of a growing file before it is read again. */
const growthPollMs = 10;

/** Reads like `handle.read`. Without bytes at the end of a growing file, it waits for more. */
async function readMore(
  handle: FileHandle,
  [buffer, offset, length, position]: [buffer: Buffer, offset: number, length: number, position: number | null],
  growing: GrowingFile | undefined,
) {
  for (;;) {
    // First, so that bytes which are written before the signal aborts are not missed.
    const isComplete = !growing || growing.complete.aborted;
    const result = await handle.read(buffer, offset, length, position);
    if (result.bytesRead > 0 || isComplete) return result;
    await delay(growthPollMs);
  }
}

export interface ScanFileOptions {
  /** What `readHead` found. */
  encoding: Encoding | undefined;
  markBytes: number;
  hasQuotedLines?: boolean | undefined;
  /** Bytes read at a time. */
  chunkBytes?: number;
  signal?: AbortSignal | undefined;
  /** The file is read while it is written. */
  growing?: GrowingFile | undefined;
}

/**
 * Reads a file in chunks and passes them to a scanner, with an unfinished record at the front of the next chunk. While
 * the scanner works on a chunk, the next one is read from disk. Yields the bytes read so far, the file size and the
 * encoding after each chunk. Without a known encoding, the text around the first byte outside ASCII decides.
 * @throws the signal's reason if it is aborted; system errors of the file
 */
export async function* scanFile(
  path: string,
  scanner: { scan(buffer: Buffer, end: number, atEnd: boolean): number },
  options: ScanFileOptions,
): AsyncGenerator<{ bytesRead: number; totalBytes: number; encoding: Encoding }> {
  const { growing } = options;
  const chunkBytes = options.chunkBytes ?? 524_288;
  const handle = await open(path);
  const read = (buffer: Buffer) => readMore(handle, [buffer, 0, chunkBytes, null], growing);
  let reading: ReturnType<typeof read> | undefined;
  try {
    const totalBytes = growing?.expectedBytes ?? (await handle.stat()).size;
    let { encoding } = options;
    let transcode = encoding && createTranscoder(encoding);
    const unwrap = options.hasQuotedLines ? createUnwrapper() : undefined;
    const incoming = [Buffer.allocUnsafeSlow(chunkBytes), Buffer.allocUnsafeSlow(chunkBytes)];
    let work = Buffer.allocUnsafeSlow(chunkBytes + 2 ** 17);
    let unfinished = 0;
    let bytesRead = 0;
    let current = 0;
    let toSkip = options.markBytes;
    reading = read(incoming[0] as Buffer);
    for (;;) {
      options.signal?.throwIfAborted();
      const { bytesRead: length, buffer } = await reading;
      const atEnd = length === 0;
      bytesRead += length;
      current = 1 - current;
      if (!atEnd) reading = read(incoming[current] as Buffer);
      const skipped = Math.min(toSkip, length);
      toSkip -= skipped;
      let chunk: Buffer = buffer.subarray(skipped, length);
      if (encoding === undefined && !isAscii(chunk)) {
        const first = bytesRead - chunk.length + chunk.findIndex((byte) => byte > 127);
        encoding = await guessEncodingAt(handle, first, growing);
        transcode = createTranscoder(encoding);
      }
      if (transcode !== undefined) chunk = transcode(chunk, atEnd);
      if (unwrap !== undefined) chunk = unwrap(chunk, atEnd);
      if (unfinished + chunk.length > work.length) {
        const larger = Buffer.allocUnsafeSlow(unfinished + chunk.length + 2 ** 17);
        work.copy(larger, 0, 0, unfinished);
        work = larger;
      }
      chunk.copy(work, unfinished);
      const end = unfinished + chunk.length;
      const done = scanner.scan(work, end, atEnd);
      work.copyWithin(0, done, end);
      unfinished = end - done;
      yield { bytesRead, totalBytes, encoding: encoding ?? 'UTF-8' };
      if (atEnd) return;
    }
  } finally {
    await reading?.catch(() => undefined);
    await handle.close();
  }
}

/** Guesses the encoding from the bytes around the first one outside ASCII. */
async function guessEncodingAt(
  handle: FileHandle,
  position: number,
  growing: GrowingFile | undefined,
): Promise<Encoding> {
  const start = Math.max(0, position - minEvidenceBytes);
  const { bytes, complete } = await readPart(handle, start, headBytes, growing);
  return guessEncoding(bytes, complete);
}

/** Returns the error for a file that has only a header. */
export function headerOnlyError(): UnreadableFile {
  return new UnreadableFile(
    'no_rows',
    'The file has a header but no rows. Export it again and check that it has rows.',
  );
}
