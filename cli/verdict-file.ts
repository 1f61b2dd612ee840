import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import * as z from 'zod/mini';
import { csvRow, restoreCell } from '#server/csv/write-csv.ts';
import { verdictKeys as keys, parseJson, Verdict } from './api.ts';
import { type Options, UsageError } from './options.ts';
import { fileError } from './read-hosts.ts';

export interface Output {
  /** The verdicts in the file, those of earlier runs first. */
  verdicts: readonly Verdict[];
  add(verdicts: readonly Verdict[]): void;
  /** Returns the path of the file that the verdicts are in; undefined: they are printed. */
  close(isComplete: boolean): string | undefined;
}

/** Where verdicts go: a file, or standard output, as a table in a terminal and as CSV elsewhere. Throws UsageError. */
export function openOutput({ out, onlyListed, file }: Pick<Options, 'out' | 'onlyListed' | 'file'>): Output {
  if (out === undefined) return openPrint(onlyListed);
  if (existsSync(out) && existsSync(file) && realpathSync(out) === realpathSync(file)) {
    throw new UsageError('The file to read and the file after --out are the same. Name another one after --out.');
  }
  try {
    lockFile(out);
    const format = out.toLowerCase().endsWith('.json') ? jsonFormat : csvFormat;
    return onlyListed ? openListedFile(out, format) : openVerdictFile(out, format);
  } catch (error) {
    throw fileError(out, error, UsageError);
  }
}

/**
 * Another run must know which domains are clean, so all verdicts go into a file beside `out` until the work is complete. Then
 * the listed ones replace an earlier file.
 */
function openListedFile(out: string, format: VerdictFormat): Output {
  readVerdicts(out, format);
  const part = openVerdictFile(`${out}.part`, format);
  return {
    ...part,
    close(isComplete) {
      const path = part.close();
      if (!isComplete) return path;
      const listed = openVerdictFile(`${out}.${randomUUID()}`, format);
      listed.add(part.verdicts.filter((verdict) => verdict.listed));
      renameSync(listed.close(), out);
      rmSync(path);
      return out;
    },
  };
}

/** Opens or creates a file for more verdicts. An unfinished last line is removed. Throws UsageError for another's file. */
export function openVerdictFile(path: string, format: VerdictFormat) {
  const { verdicts, bytes } = readVerdicts(path, format);
  if (bytes > 0) truncateSync(path, bytes);
  else writeFileSync(path, format.opening);
  return {
    verdicts,
    add(more: readonly Verdict[]) {
      const isFirst = verdicts.length === 0;
      appendFileSync(path, more.map((verdict, i) => format.line(verdict, isFirst && i === 0)).join(''));
      for (const verdict of more) verdicts.push(verdict);
    },
    close() {
      appendFileSync(path, format.closing);
      return path;
    },
  };
}

/** The verdicts in a file, and its length without the closing and an unfinished line. Throws UsageError for another's file. */
export function readVerdicts(path: string, { opening, closing, unfinished, parse }: VerdictFormat) {
  const file = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  const end = file.lastIndexOf('\n') + 1;
  const text = file.toString('utf8', 0, end);
  if (file.length > 0 && !(text.startsWith(opening) && unfinished.test(file.toString('utf8', end)))) {
    throw new UsageError(
      `${path} has something else in it than verdicts of this command. Name another file after --out.`,
    );
  }
  const closingLength = text.endsWith(`\n${closing}`) ? closing.length : 0;
  const body = text.slice(opening.length, text.length - closingLength);
  const lines = body.split('\n').slice(0, -1);
  const verdicts = lines.map((line, i) => {
    const { success, data } = z.safeParse(Verdict, parse(line));
    if (success) return data;
    throw new UsageError(
      `Line ${i + 2} of ${path} is no verdict of this command. Remove the line, or name another file.`,
    );
  });
  return { verdicts, bytes: end - closingLength };
}

/** Each verdict is one line, so that a file that is cut off anywhere is valid up to its last line end. */
export interface VerdictFormat {
  opening: string;
  line(verdict: Verdict, isFirst: boolean): string;
  closing: string;
  /** What may stand behind the last line end of an interrupted run. */
  unfinished: RegExp;
  parse(line: string): unknown;
}

export const csvFormat: VerdictFormat = {
  opening: csvRow(keys.map((key) => key.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`))),
  line: (verdict) => csvRow(keys.map((key) => verdict[key])),
  closing: '',
  unfinished: /^/,
  parse(line) {
    const cells = line.match(/(?<=^|,)("([^"]|"")*"|[^",]*)(?=,|\r$)/g) ?? [];
    return cells.length === keys.length && Object.fromEntries(keys.map((key, i) => [key, cellValue(key, cells[i])]));
  },
};

function cellValue(key: keyof Verdict, cell = ''): unknown {
  if (cell === '') return null;
  if (key === 'listed' || key === 'sourceCount') return parseJson(cell);
  return restoreCell(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
}

/** An array with one element a line, behind a comma, or a space in the first line. */
export const jsonFormat: VerdictFormat = {
  opening: '[\n',
  line: (verdict, isFirst) => `${isFirst ? ' ' : ','}${JSON.stringify(verdict)}\n`,
  closing: ']\n',
  // This command does not end an array within a line.
  unfinished: /^(\]|[ ,]?|[ ,]\{.*(?<!\]))$/,
  parse: (line) => parseJson(line.replace(/^[ ,]/, '')),
};

/** Prints CSV as verdicts arrive. A table is printed at the end, when the widths of its columns are known. */
function openPrint(onlyListed: boolean): Output {
  const { stdout } = process;
  const rows: Verdict[] = [];
  if (!stdout.isTTY) stdout.write(csvFormat.opening);
  return {
    verdicts: [],
    add(verdicts) {
      const shown = verdicts.filter(({ listed }) => listed || !onlyListed);
      if (stdout.isTTY) rows.push(...shown);
      else stdout.write(shown.map((verdict) => csvFormat.line(verdict, false)).join(''));
    },
    close() {
      if (rows.length > 0) stdout.write(tableOf(rows));
      return undefined;
    },
  };
}

function tableOf(verdicts: readonly Verdict[]): string {
  const rows = [['DOMAIN', 'VERDICT', 'RISK', 'SOURCES', 'LISTED AS', 'SINCE', 'NICHE']];
  for (const { domain, listed, matchedDomain, riskLevel, sourceCount, dateAdded, niche, error } of verdicts) {
    const facts = [riskLevel, sourceCount, matchedDomain, dateAdded?.slice(0, 10), niche];
    rows.push(listed ? [domain, 'listed', ...facts.map((fact) => String(fact ?? ''))] : [domain, error ?? 'clean']);
  }
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

/**
 * Keeps other runs from a file while this process lives, by a file beside it with the number of the process. Throws UsageError
 * while another run has the file.
 */
function lockFile(path: string): void {
  const lock = `${path}.lock`;
  if (existsSync(lock) && !isInUse(readFileSync(lock, 'latin1'))) rmSync(lock, { force: true });
  try {
    writeFileSync(lock, `${process.pid}\n`, { flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new UsageError(
      `Another run writes into ${path}. Wait for its end, or name another file after --out. If there is none, remove ${lock}.`,
    );
  }
  process.once('exit', () => rmSync(lock, { force: true }));
}

function isInUse(lock: string): boolean {
  const pid = Number(/^[1-9]\d{0,9}\n$/.exec(lock)?.[0]);
  // Without a number it may be a file of the user, or of a run that is just beginning.
  if (Number.isNaN(pid)) return true;
  // In a container a new run often has the number of the one before.
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
