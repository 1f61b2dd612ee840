import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { scanFile } from '#server/csv/file-bytes.ts';
import { createScanner } from '#server/csv/scanner.ts';
import { WrongUse } from './stop.ts';
import type { Verdict } from './verdict.ts';
import type { VerdictFormat } from './verdict-format.ts';

/** A file of verdicts that is being added to. */
export interface VerdictFile {
  add(verdicts: readonly Verdict[]): void;
  /** Makes the file a whole one, which can still be opened and added to later. */
  close(): void;
}

const tailBytes = 1 << 20;

/**
 * Opens a file for more verdicts, or makes it. What an earlier run was cut off from writing is mended: an unfinished last line
 * goes. Throws WrongUse when something else than verdicts of this command stands in it, which is left as it is; system errors
 * of the file.
 * @param onVerdict is given those that stand in it
 */
export async function openVerdictFile(
  path: string,
  format: VerdictFormat,
  onVerdict: (verdict: Verdict) => void,
): Promise<VerdictFile> {
  let isFirst = true;
  const length = await judgeVerdictFile(path, format, (verdict) => {
    isFirst = false;
    onVerdict(verdict);
  });
  const file = openSync(path, 'a+', 0o666);
  try {
    ftruncateSync(file, length);
    if (length === 0) writeAll(file, format.opening);
  } catch (error) {
    closeSync(file);
    throw error;
  }
  return {
    add(verdicts) {
      let text = '';
      for (const verdict of verdicts) {
        text += format.line(verdict, isFirst);
        isFirst = false;
      }
      writeAll(file, text);
    },
    close() {
      try {
        writeAll(file, format.closing);
      } finally {
        closeSync(file);
      }
    },
  };
}

/**
 * Looks whether a file, if there is one, is of this command, and changes nothing in it. Throws WrongUse when it is not.
 * @returns where its last whole line ends, in bytes, without the closing
 */
export async function judgeVerdictFile(
  path: string,
  format: VerdictFormat,
  onVerdict: (verdict: Verdict) => void,
): Promise<number> {
  if (!existsSync(path)) return 0;
  const file = openSync(path, 'r');
  let length: number;
  try {
    length = endOfVerdicts(path, file, format);
  } finally {
    closeSync(file);
  }
  await readVerdicts(path, format, onVerdict, length);
  return length;
}

/**
 * The verdicts in a file, one after the other. Throws WrongUse for a line that is none.
 * @param length in bytes, of what is read from the beginning; it ends with a line
 */
export async function readVerdicts(
  path: string,
  format: VerdictFormat,
  onVerdict: (verdict: Verdict) => void,
  length = Number.POSITIVE_INFINITY,
): Promise<void> {
  const damaged = (line: number) => {
    throw new WrongUse(`Line ${line} of ${path} is no verdict of this command. Remove the line, or name another file.`);
  };
  const scanner = createScanner({
    delimiter: format.delimiter,
    columns: 'all',
    onRecord(record) {
      if (record.line === 1) return;
      const verdict = format.read(record);
      if (verdict) onVerdict(verdict);
      else damaged(record.line);
    },
    onMalformed: damaged,
  });
  let left = length;
  const upToLength: typeof scanner = {
    ...scanner,
    scan(buffer, end, atEnd) {
      const done = scanner.scan(buffer, Math.min(end, left), atEnd);
      left -= done;
      return left === 0 ? end : done;
    },
  };
  for await (const _ of scanFile(path, upToLength, { encoding: 'UTF-8', markBytes: 0 }));
}

/** Where the last whole line ends, without the closing. @throws WrongUse when the file does not begin and end as ours do */
function endOfVerdicts(path: string, file: number, format: VerdictFormat): number {
  const { size } = fstatSync(file);
  const foreign = () =>
    new WrongUse(`${path} has something else in it than verdicts of this command. Name another file after --out.`);
  const head = readText(file, 0, Math.min(size, Buffer.byteLength(format.opening)));
  if (head !== format.opening) {
    if (isCutOff(head, format.opening)) return 0;
    throw foreign();
  }
  const from = Math.max(0, size - tailBytes);
  const tail = readText(file, from, size - from, 'latin1');
  let end = tail.lastIndexOf('\n') + 1;
  if (!format.isUnfinished(tail.slice(end))) throw foreign();
  if (format.closing !== '' && tail.slice(0, end).endsWith(`\n${format.closing}`)) end -= format.closing.length;
  return from + end;
}

/** Whether a run was cut off within the opening: not where whole names stand, which may be the header of a person's own file. */
function isCutOff(head: string, opening: string): boolean {
  if (head === '') return true;
  return head.includes(',') && opening.startsWith(head) && /\w/.test(opening.charAt(head.length));
}

function readText(file: number, from: number, length: number, encoding: BufferEncoding = 'utf8'): string {
  const buffer = Buffer.alloc(length);
  const read = readSync(file, buffer, 0, length, from);
  return buffer.toString(encoding, 0, read);
}

function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  let at = 0;
  while (at < bytes.length) at += writeSync(file, bytes, at);
}
