import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import * as z from 'zod/mini';
import { csvRow, restoreCell } from '#server/platform/csv/write-csv.ts';
import { verdictKeys as keys, parseJson, Verdict } from './api.ts';
import { type Options, toFileError, UsageError } from './options.ts';
import { formatTable } from './table.ts';

export interface Output {
  /** The verdicts of earlier runs. */
  verdicts: readonly Verdict[];
  add(verdicts: readonly Verdict[]): void;
  /** @returns the path of the file with the verdicts; undefined if they were printed */
  close(isComplete: boolean): string | undefined;
}

/**
 * Opens the output of verdicts: a file, or standard output with a table in a terminal and CSV otherwise.
 * @throws UsageError
 */
export function openOutput({ out, onlyListed, file }: Pick<Options, 'out' | 'onlyListed' | 'file'>): Output {
  if (out === undefined) return openPrint(onlyListed);
  if (existsSync(out) && existsSync(file) && realpathSync(out) === realpathSync(file)) {
    throw new UsageError('The input file and the file after --out are the same. Use another file after --out.');
  }
  try {
    return openFile(out, onlyListed);
  } catch (error) {
    throw toFileError(out, error, UsageError);
  }
}

/**
 * Appends verdicts to `out`.part, one JSON object per line, so that a killed run loses at most its last line. `close`
 * writes them to `out` in one step. With `onlyListed`, it does so only when everything is checked, because the next run
 * must know which domains are clean.
 */
function openFile(out: string, onlyListed: boolean): Output {
  const format = /\.json$/i.test(out) ? jsonFormat : csvFormat;
  const part = `${out}.part`;
  const file = existsSync(out) ? realpathSync(out) : out;
  const mode = existsSync(out) ? statSync(out).mode : 0o666;
  // Reads both files again each time, because another run may have finished in the meantime.
  function read(): Verdict[] {
    const [finished, unfinished] = [readVerdicts(out, format.parse), readVerdicts(part, parseLines)];
    const all = [...(onlyListed ? [] : finished), ...unfinished];
    return [...new Map(all.map((verdict) => [verdict.domain, verdict])).values()];
  }
  const verdicts = read();
  appendFileSync(part, '', { mode });
  return {
    verdicts,
    add: (more) => appendFileSync(part, toLines(more)),
    close(isComplete) {
      if (onlyListed && !isComplete) return part;
      const whole = `${file}.${randomUUID()}`;
      try {
        writeFileSync(whole, format.write(read().filter(({ listed }) => listed || !onlyListed)), { mode });
        renameSync(whole, file);
      } finally {
        rmSync(whole, { force: true });
      }
      rmSync(part, { force: true });
      return out;
    },
  };
}

/** Reads the verdicts in a file, if it exists. @throws UsageError for a file that this command did not write */
function readVerdicts(path: string, parse: (text: string) => unknown): Verdict[] {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const { success, data } = z.safeParse(z.array(Verdict), text === '' ? [] : parse(text));
  if (success) return data;
  throw new UsageError(`${path} contains data that this command did not write. Use another file after --out.`);
}

/** Each line starts with its line break, which also ends an incomplete line of an earlier run. */
const toLines = (verdicts: readonly Verdict[]) => verdicts.map((verdict) => `\n${JSON.stringify(verdict)}`).join('');

const lineStart = '{"domain":';

/** Skips incomplete lines. */
function parseLines(text: string): unknown[] {
  const isCut = (line: string) => line.startsWith(lineStart) || lineStart.startsWith(line);
  return text
    .split('\n')
    .map((line) => parseJson(line) ?? (isCut(line) ? undefined : line))
    .filter((verdict) => verdict !== undefined);
}

const jsonFormat = {
  write: (verdicts: readonly Verdict[]) => `[\n${verdicts.map((verdict) => JSON.stringify(verdict)).join(',\n')}\n]\n`,
  parse: parseJson,
};

const columnNames = keys.map((key) => key.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`));
const csvHeader = csvRow(columnNames);
const csvLine = (verdict: Verdict) => csvRow(keys.map((key) => verdict[key]));
const csvFormat = {
  write: (verdicts: readonly Verdict[]) => csvHeader + verdicts.map(csvLine).join(''),
  parse(text: string): unknown {
    const [header = '', ...rows] = text.split('\r\n').slice(0, -1);
    const columns = header.split(',').flatMap((name) => keys[columnNames.indexOf(name)] ?? []);
    if (columns.length !== header.split(',').length) return undefined;
    return rows.map((row) => {
      const cells = row.match(/(?<=^|,)("([^"]|"")*"|[^",]*)(?=,|$)/g) ?? [];
      return (
        cells.length === columns.length && Object.fromEntries(columns.map((key, i) => [key, cellValue(key, cells[i])]))
      );
    });
  },
};

function cellValue(key: keyof Verdict, cell = ''): unknown {
  if (cell === '') return null;
  if (key === 'listed' || key === 'sourceCount' || key === 'independentSourceCount') return parseJson(cell);
  return restoreCell(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
}

/** Prints CSV as verdicts arrive, or a table at the end, when its column widths are known. */
function openPrint(onlyListed: boolean): Output {
  const { stdout } = process;
  const rows: Verdict[] = [];
  if (!stdout.isTTY) stdout.write(csvHeader);
  return {
    verdicts: [],
    add(verdicts) {
      const shown = verdicts.filter(({ listed }) => listed || !onlyListed);
      if (stdout.isTTY) rows.push(...shown);
      else stdout.write(shown.map(csvLine).join(''));
    },
    close() {
      if (rows.length > 0) stdout.write(formatVerdicts(rows));
      return undefined;
    },
  };
}

function formatVerdicts(verdicts: readonly Verdict[]): string {
  const header = ['DOMAIN', 'VERDICT', 'RISK', 'CONFIDENCE', 'SOURCES', 'LISTED AS', 'SINCE', 'NICHE'];
  const rows = verdicts.map(({ domain, listed, error, ...facts }) => {
    const { riskLevel, confidence, matchedDomain, dateAdded, niche } = facts;
    const sources = String(facts.independentSourceCount);
    if (!listed) return [domain, error ?? 'clean'];
    return [domain, 'listed', riskLevel, confidence, sources, matchedDomain, dateAdded?.slice(0, 10), niche];
  });
  return formatTable(header, rows);
}
