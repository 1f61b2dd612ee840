import type { UploadQuestion } from '#shared/reports/backlinks.ts';
import type { DetectedFormat } from '#shared/reports/reports.ts';
import { type Dialect, detectDialect, type SampleRecord } from '../../platform/csv/dialect.ts';
import { type FileHead, headerOnlyError } from '../../platform/csv/file-bytes.ts';
import { NO_DELIMITER } from '../../platform/csv/scanner.ts';
import { UnreadableFile } from '../../platform/csv/unreadable-file.ts';
import { chooseColumn, readSampleCell } from './choose-column.ts';
import { getColumnRole, normalizeHeader } from './column-names.ts';
import { countKnownColumns, recognizeFormat } from './formats.ts';
import { type DetailColumns, findDetailColumns } from './link-details.ts';
import { type FlagColumn, findFlagColumns } from './link-flags.ts';
import { findSignalColumns, type SignalColumns } from './signal-columns.ts';
import { wrongReportError } from './wrong-reports.ts';

/** How to read one table. */
export interface ReadingPlan extends DetailColumns {
  format: Pick<DetectedFormat, 'tool' | 'report' | 'column' | 'delimiter' | 'otherSite'>;
  delimiter: number;
  /** Zero-based column of the linking page. */
  column: number;
  /** Zero-based column of the page that the link points to, if the file has one. */
  targetColumn: number | undefined;
  flagColumns: FlagColumn[];
  signalColumns: SignalColumns;
  /** Lines before the first row: a known header and what is above it, and a `sep=` line. */
  linesBefore: number;
  /** The line of a guessed header; 0 without one. The lines above it are rows. */
  guessedHeaderLine: number;
  /** Whether lines that start with `#` are comments. */
  hasComments: boolean;
  /** Whether the column contains URLs of pages, not only domains. */
  listsPages: boolean;
  /** Whether the column contains more texts than addresses, as a read-me file or a sheet with notes does. */
  isText: boolean;
  /** The user should choose the column, because another one is about as likely. */
  question: Omit<Extract<UploadQuestion, { about: 'column' }>, 'file'> | undefined;
}

/** The column to read instead of a detected one, by its name in the header or by its zero-based number. */
export type GivenColumn = string | number | undefined;

/**
 * Detects the format of a table from its start and chooses the column with the linking pages.
 * @throws UnreadableFile if the table is another report, has only the user's own pages, no addresses, or no column of
 *   the given name
 */
export function planReading(head: FileHead, isOwn: (host: string) => boolean, given?: GivenColumn): ReadingPlan {
  const dialect = typeof given === 'string' ? detectNamedColumn(head, given) : detectDialect(head, scoreHeader);
  const isPlain = dialect.delimiter === NO_DELIMITER && dialect.header === undefined;
  const rows = dialect.sample.filter(
    ({ line, cells }) => line > (dialect.header?.line ?? 0) && !(isPlain && cells[0]?.startsWith('#')),
  );
  if (dialect.header === undefined) rejectLostLineEnds(rows, head);
  if (dialect.header !== undefined && rows.length === 0 && head.complete) throw headerOnlyError();
  const names = dialect.header?.cells ?? [];
  const choice = chooseColumn(dialect.header?.cells ?? findNames(rows), rows, isOwn);
  const column = typeof given === 'string' ? findColumn(names, given) : (given ?? getColumn(choice));
  const header = dialect.header ?? (isPlain ? undefined : findHeaderAbove(rows, column));
  const cells = header?.cells ?? [];
  const named = cells.findIndex((cell, i) => i !== column && getColumnRole(normalizeHeader(cell)) === 'target');
  const likely = 'column' in choice ? choice.targetColumn : undefined;
  // The user can have chosen the column that looks like the one with the targets.
  const isTargetRead = likely === column;
  const details = {
    delimiter: dialect.delimiterName,
    otherSite: 'column' in choice && !isTargetRead ? choice.otherSite : null,
  };
  const cellsOfColumn = rows.flatMap((row) => {
    const cell = row.cells[column] ?? '';
    return cell.trim() === '' ? [] : [readSampleCell(cell)];
  });
  const targetColumn = named >= 0 ? named : isTargetRead ? undefined : likely;
  const flagColumns = findFlagColumns(cells).filter((flag) => flag.column !== column);
  const linesBefore = hasDataAbove(dialect, column) ? 0 : (dialect.header?.line ?? 0);
  return {
    format: { ...describe(dialect, { header: cells, isPlain, column, isGiven: given !== undefined }), ...details },
    delimiter: dialect.delimiter,
    column,
    targetColumn,
    ...findDetailColumns(cells, column),
    flagColumns,
    signalColumns: findSignalColumns(cells, [column, targetColumn, ...flagColumns.map((flag) => flag.column)]),
    linesBefore: Math.max(linesBefore, dialect.separatorLine),
    guessedHeaderLine: dialect.header === undefined ? (header?.line ?? 0) : 0,
    hasComments: isPlain || isDisavow(dialect, column),
    listsPages: cellsOfColumn.some(({ weight }) => weight === 3),
    isText: cellsOfColumn.filter(({ weight }) => weight > 0).length * 2 < cellsOfColumn.length,
    question:
      given === undefined && 'column' in choice && !choice.isSure
        ? buildQuestion(cells, rows, header?.line)
        : undefined,
  };
}

function getColumn(choice: ReturnType<typeof chooseColumn>): number {
  if ('wrongReport' in choice) throw wrongReportError(choice.wrongReport);
  return choice.column;
}

function detectNamedColumn(head: FileHead, name: string): Dialect {
  const isNamed = (cell: string) => normalizeHeader(cell) === normalizeHeader(name);
  const dialect = detectDialect(head, (cells) => (cells.some(isNamed) ? 1 + countKnownColumns(cells) : 0));
  if (dialect.header !== undefined) return dialect;
  throw new UnreadableFile('missing_columns', `This file has no column named “${printable(name)}”.`);
}

const findColumn = (header: readonly string[], name: string): number =>
  header.findIndex((cell) => normalizeHeader(cell) === normalizeHeader(name));

function describe(
  dialect: Dialect,
  {
    header,
    isPlain,
    column,
    isGiven,
  }: { header: readonly string[]; isPlain: boolean; column: number; isGiven: boolean },
): Pick<DetectedFormat, 'tool' | 'report' | 'column'> {
  const name = printable(header[column] ?? '');
  if (dialect.header !== undefined && name !== '') return { ...recognizeFormat(header, column), column: name };
  if (isPlain || isDisavow(dialect, column)) {
    const [tool, report] = isDisavow(dialect, column)
      ? ['Google', 'Disavow file']
      : ['Plain list', 'One address per line'];
    return { tool, report, column: 'every line' };
  }
  return {
    tool: dialect.header === undefined ? 'Unknown tool' : recognizeFormat(header, column).tool,
    report: isGiven ? 'Source column chosen by the user' : 'Source column chosen by its content',
    column: name === '' ? `column ${column + 1}` : `column ${column + 1} (“${name}”)`,
  };
}

const isDisavow = ({ header, sample }: Dialect, column: number): boolean =>
  header === undefined && column === 0 && sample.some(({ cells }) => /^\s*domain:/i.test(cells[0] ?? ''));

/**
 * Scores a record as a header: the number of known column names, or 0 if it is not a header. Data may contain a word
 * such as `link`, but a header never contains a URL. A line with a single known name and a bare host is metadata such
 * as `Site,mysite.example`, and one with an IP address is data.
 */
function scoreHeader(cells: readonly string[]): number {
  const known = countKnownColumns(cells);
  if (known === 0) return 0;
  const read = cells.map(readSampleCell);
  const highestWeight = Math.max(...read.map(({ weight }) => weight));
  const hasHost = highestWeight > 0 || read.some(({ problem }) => problem === 'IP address');
  return highestWeight === 3 || (hasHost && known === 1) ? 0 : known;
}

/** Whether the known header stands below rows of data, which a file that was put together by hand can have. */
function hasDataAbove({ header, sample }: Dialect, column: number): boolean {
  if (header === undefined) return false;
  return sample.some(
    ({ line, cells }) =>
      line < header.line &&
      cells.length === header.cells.length &&
      readSampleCell(cells[column] ?? '').host !== undefined,
  );
}

/** Returns the first line if it has no address, because its words can name a wrong report. */
function findNames([first]: readonly SampleRecord[]): readonly string[] {
  return first?.cells.every((cell) => readSampleCell(cell).host === undefined) ? first.cells : [];
}

/**
 * Returns the last header-like line before the first address of the column: it has text in that column, and in no cell
 * an address, not even one that would be skipped.
 */
function findHeaderAbove(sample: readonly SampleRecord[], column: number): SampleRecord | undefined {
  const first = sample.findIndex(({ cells }) => readSampleCell(cells[column] ?? '').host !== undefined);
  for (let i = first - 1; i >= 0; i -= 1) {
    const record = sample[i];
    if (record === undefined || record.line > 11) continue;
    const hasAddress = record.cells.some(isAddressLike);
    const name = (record.cells[column] ?? '').trim();
    if (name !== '' && !name.startsWith('#') && !hasAddress) return record;
  }
  return undefined;
}

function isAddressLike(cell: string): boolean {
  const { host, problem } = readSampleCell(cell);
  return host !== undefined || problem === 'IP address' || problem === 'unknown top-level domain';
}

/** Rejects a list with several addresses per line, because reading only the first one would look like a success. */
function rejectLostLineEnds(rows: readonly SampleRecord[], { complete }: FileHead): void {
  const lines = rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const [first, ...others] = lines;
  if (complete && first !== undefined && others.length === 0 && listsAddresses(first.cells)) {
    throw new UnreadableFile(
      'no_addresses',
      'All addresses of this file are on one line. Save the list with one address per line and upload it again.',
    );
  }
  const several = lines.filter(({ cells }) => cells.length === 1 && /^\s*https?:\S+\s+https?:/i.test(cells[0] ?? ''));
  if (several.length * 2 > lines.length) {
    throw new UnreadableFile(
      'no_addresses',
      'This file has several addresses on one line. Save the list with one address per line and upload it again.',
    );
  }
}

/** Whether the cells of a line are addresses of three or more websites and nothing else. */
function listsAddresses(cells: readonly string[]): boolean {
  const [only = '', ...others] = cells.filter((cell) => cell.trim() !== '');
  if (others.length === 0) return only.split(/https?:\/\//i).length > 3;
  const hosts = new Set([only, ...others].map((cell) => readSampleCell(cell).host));
  return hosts.size > 2 && !hosts.has(undefined);
}

const maxQuestionRows = 6;
const maxQuestionColumns = 60;
const maxQuestionCellLength = 200;

function buildQuestion(
  header: readonly string[],
  rows: readonly SampleRecord[],
  headerLine = 0,
): ReadingPlan['question'] {
  const shown = rows.filter(({ line }) => line > headerLine).slice(0, maxQuestionRows);
  const width = Math.min(maxQuestionColumns, Math.max(header.length, ...shown.map(({ cells }) => cells.length)));
  return {
    about: 'column',
    columns: Array.from({ length: width }, (_, column) => printable(header[column] ?? '')),
    rows: shown.map(({ cells }) =>
      cells.slice(0, width).map((cell) => cell.replaceAll('\0', '').slice(0, maxQuestionCellLength)),
    ),
  };
}

function printable(name: string): string {
  return name
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 80);
}
