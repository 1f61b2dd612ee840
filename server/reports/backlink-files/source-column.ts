import type { UploadQuestion } from '#shared/reports/backlinks.ts';
import type { DetectedFormat } from '#shared/reports/reports.ts';
import { trimInvisible } from '../../hostnames/hosts/hosts.ts';
import { wrongColon } from '../../hostnames/links/list-lines.ts';
import { bullet } from '../../hostnames/links/list-marks.ts';
import { cellText } from '../../platform/csv/csv-record.ts';
import { type Dialect, detectDialect, type SampleRecord } from '../../platform/csv/dialect.ts';
import { type FileHead, headerOnlyError } from '../../platform/csv/file-bytes.ts';
import { createScanner, NO_DELIMITER } from '../../platform/csv/scanner.ts';
import { UnreadableFile } from '../../platform/csv/unreadable-file.ts';
import { chooseColumn, readSampleCell, readSampleText } from './choose-column.ts';
import { endsInName, getColumnRole, isDottedName, normalizeHeader } from './column-names.ts';
import { type DateOrder, findDateOrder, isDate, isNumericDate } from './export-dates.ts';
import { countKnownColumns, recognizeFormat } from './formats.ts';
import { findLineStart, findNextHeader, type HeaderLine, scoreHeader } from './header-lines.ts';
import { type DetailColumns, findDetailColumns, findLanguageOrder } from './link-details.ts';
import { type FlagColumn, findFlagColumns } from './link-flags.ts';
import type { OwnSite } from './own-site.ts';
import { findSignalColumns, type SignalColumns } from './signal-columns.ts';
import { wrongReportError } from './wrong-reports.ts';

/** How to read one table. */
export interface ReadingPlan extends DetailColumns {
  format: Pick<DetectedFormat, 'tool' | 'report' | 'column' | 'delimiter' | 'otherSite'>;
  /** The names of the columns; empty without a header. */
  header: readonly string[];
  delimiter: number;
  /** Zero-based column of the linking page. */
  column: number;
  /** Whether an address in the column may come after other text in its cell. */
  hasTexts: boolean;
  /** Zero-based column of the page that the link points to, if the file has one. */
  targetColumn: number | undefined;
  dateOrder: DateOrder;
  flagColumns: FlagColumn[];
  signalColumns: SignalColumns;
  /** Lines before the first row: a known header and what is above it, and a `sep=` line. */
  linesBefore: number;
  /** The line of a guessed header; 0 without one. The lines above it are rows. */
  guessedHeaderLine: number;
  /** The line of the header of the next table, if it is known. */
  endLine: number | undefined;
  /** Tables above this one that are not read, with their first lines. */
  leftOut: { line: number; reason: string }[];
  /** Whether lines that start with `#` are comments. */
  hasComments: boolean;
  /** Whether the first line names a column with addresses as that of the linking pages. */
  isNamed: boolean;
  /** Whether the table is a disavow file. */
  isDisavow: boolean;
  /** Whether the column contains URLs of pages, not only domains. */
  listsPages: boolean;
  /** Whether the column contains more texts than addresses, as a read-me file or a sheet with notes does. */
  isText: boolean;
  /** The user should choose the column, because another one is about as likely. */
  question: Omit<Extract<UploadQuestion, { about: 'column' }>, 'file'> | undefined;
}

/** The column to read instead of a detected one, by its name in the header or by its zero-based number. */
export type GivenColumn = string | number | undefined;

/** Each table that is left out takes as long as one that is read. */
export const maxLeftOut = 20;

/**
 * Detects the format of a table from its start and chooses the column with the linking pages. Of several tables, one
 * below the other, this is the first with linking pages. Rows of links above the first header are a table too.
 * @param leftOut the number of tables above that are left out
 * @throws UnreadableFile if the table is another report, has only the user's own pages, no addresses, or no column of
 *   the given name
 */
export function planReading(head: FileHead, site: OwnSite, given?: GivenColumn, leftOut = 0): ReadingPlan {
  if (typeof given === 'string') return planTable(head, detectNamedColumn(head, given), site, given);
  const dialect = detectDialect(head, scoreHeader);
  const above = dialect.header && planLinksAbove(head, dialect.header, site);
  if (above !== undefined) return above;
  const known = { names: dialect.header?.cells ?? [], delimiter: dialect.delimiter };
  const next = findNextHeader(head.bytes, (dialect.header?.line ?? 0) + 1, known);
  if (next === undefined || next.start === 0) return planTable(head, dialect, site, given);
  const part = { ...head, bytes: head.bytes.subarray(0, next.start), complete: true };
  try {
    return planTable(part, detectDialect(part, scoreHeader), site, given);
  } catch (error) {
    if (!(error instanceof UnreadableFile) || leftOut >= maxLeftOut) throw error;
    const rest = planFrom(head, next, site, leftOut + 1);
    if (!rest) throw error;
    // Lines of text are above the header, and a header without rows loses nothing.
    const isReport = error.code === 'wrong_report' || error.code === 'own_pages';
    return isReport ? { ...rest, leftOut: [{ line: 1, reason: error.message }, ...rest.leftOut] } : rest;
  }
}

/** Plans the table that starts at a header; undefined if it cannot be read. */
function planFrom(
  head: FileHead,
  { line, start }: HeaderLine,
  site: OwnSite,
  leftOut: number,
): ReadingPlan | undefined {
  try {
    const plan = planReading({ ...head, bytes: head.bytes.subarray(start) }, site, undefined, leftOut);
    const before = line - 1;
    return {
      ...plan,
      linesBefore: plan.linesBefore + before,
      guessedHeaderLine: plan.guessedHeaderLine && plan.guessedHeaderLine + before,
      endLine: plan.endLine && plan.endLine + before,
      leftOut: plan.leftOut.map(({ line, reason }) => ({ line: line + before, reason })),
    };
  } catch (error) {
    if (error instanceof UnreadableFile) return undefined;
    throw error;
  }
}

/** Plans the lines above the first known header; undefined if they are not links, but metadata. */
function planLinksAbove(head: FileHead, { line }: SampleRecord, site: OwnSite): ReadingPlan | undefined {
  if (line === 1) return undefined;
  const above = { ...head, bytes: head.bytes.subarray(0, findLineStart(head.bytes, line)), complete: true };
  if (!detectDialect(above, scoreHeader).sample.some(({ cells }) => isLink(cells, site))) return undefined;
  try {
    const plan = planReading(above, site);
    return { ...plan, endLine: plan.endLine ?? line };
  } catch (error) {
    if (error instanceof UnreadableFile) return undefined;
    throw error;
  }
}

/** What long labels say: `Site: example.com`. */
const labelWords = /:\s*$|\b(?:report|export|project|site|website|domain|url|target|backlinks?|links?|analy[sz]ed)\b/i;

/** Most labels are short, such as `Exported from`, and most titles of pages are not. */
const maxLabelWords = 3;

/** Whether a line above a header has the address of another website, and not as the value of a label. */
function isLink(cells: readonly string[], site: OwnSite): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '');
  const [first = ''] = filled;
  const hosts = filled.map((cell) => readSampleCell(cell).host);
  if (!hosts.some((host) => host !== undefined && !site.isOwn(host))) return false;
  if (filled.length !== 2 || hosts[0] !== undefined || !/\p{L}/u.test(first)) return true;
  return !labelWords.test(first) && first.trim().split(/\s+/).length > maxLabelWords;
}

function planTable(head: FileHead, detected: Dialect, site: OwnSite, given: GivenColumn): ReadingPlan {
  const isList = detected.delimiter === NO_DELIMITER && detected.header === undefined;
  const dialect = { ...detected, header: detected.header ?? findDottedHeader(detected.sample, site) };
  const isPlain = isList && dialect.header === undefined;
  const rows = dialect.sample.filter(
    ({ line, cells }) => line > (dialect.header?.line ?? 0) && !(isPlain && cells[0]?.startsWith('#')),
  );
  if (dialect.header === undefined) rejectLostLineEnds(rows, head);
  if (dialect.header !== undefined && rows.length === 0 && head.complete) throw headerOnlyError();
  const names = dialect.header?.cells ?? [];
  const unknownHeader = dialect.header === undefined && rows.length > 1 ? findUnknownHeader(rows) : undefined;
  const choice = chooseColumn(
    dialect.header?.cells ?? findNames(rows),
    rows.filter((row) => row !== unknownHeader),
    site,
  );
  const listsEntries = listsDisavowEntries(dialect, rows);
  const likelyColumn = 'wrongReport' in choice && listsEntries ? 0 : undefined;
  const column = typeof given === 'string' ? findColumn(names, given) : (given ?? likelyColumn ?? getColumn(choice));
  const isDisavow = listsEntries && column === 0;
  const isInTexts = 'column' in choice && choice.hasTexts;
  const header = dialect.header ?? (isPlain ? undefined : findHeaderAbove(rows, column, isInTexts));
  const cells = header?.cells ?? [];
  const named = cells.findIndex((cell, i) => i !== column && getColumnRole(normalizeHeader(cell)) === 'target');
  const likely = 'column' in choice ? choice.targetColumn : undefined;
  // The user can have chosen the column that looks like the one with the targets.
  const isTargetRead = likely === column;
  const details = {
    delimiter: dialect.delimiterName,
    otherSite: 'column' in choice && !isTargetRead ? choice.otherSite : null,
  };
  const filled = rows.map((row) => row.cells[column] ?? '').filter((cell) => cell.trim() !== '');
  const cellsOfColumn = filled.map(isInTexts ? readSampleText : readSampleCell);
  const targetColumn = isTargetRead ? (named >= 0 ? named : undefined) : (likely ?? (named >= 0 ? named : undefined));
  const detailColumns = findDetailColumns(cells, column);
  const flags = findFlagColumns(cells).filter((flag) => flag.column !== column);
  const { firstSeenColumn } = detailColumns;
  // A column `Found` has dates, or says yes and no.
  const isDated = rows.some((row) => isDate(row.cells[firstSeenColumn ?? -1] ?? ''));
  const flagColumns = flags.filter((flag) => !isDated || flag.column !== firstSeenColumn);
  if (flagColumns.some((flag) => flag.column === firstSeenColumn)) detailColumns.firstSeenColumn = undefined;
  return {
    format: {
      ...describe(dialect, { header: cells, isPlain, isDisavow, column, isGiven: given !== undefined }),
      ...details,
    },
    header: cells,
    delimiter: dialect.delimiter,
    column,
    hasTexts:
      isInTexts ||
      getColumnRole(normalizeHeader(cells[column] ?? '')) !== 'unknown' ||
      isMostlyText(rows.flatMap(({ line, cells }) => (line > (header?.line ?? 0) ? (cells[column] ?? []) : []))),
    targetColumn,
    ...detailColumns,
    dateOrder: findOrder(head, dialect, cells, detailColumns.firstSeenColumn),
    flagColumns,
    signalColumns: findSignalColumns(cells, [column, targetColumn, ...flagColumns.map((flag) => flag.column)]),
    linesBefore: Math.max(dialect.header?.line ?? 0, dialect.separatorLine),
    guessedHeaderLine: dialect.header === undefined ? (header?.line ?? 0) : 0,
    endLine: undefined,
    leftOut: [],
    isNamed:
      dialect.header?.line === 1 &&
      getColumnRole(normalizeHeader(cells[column] ?? '')) !== 'unknown' &&
      cellsOfColumn.some(({ weight }) => weight > 0),
    isDisavow,
    hasComments: isPlain || isDisavow,
    listsPages: cellsOfColumn.some(({ weight }) => weight === 3),
    isText: cellsOfColumn.filter(({ weight }) => weight > 0).length * 2 < cellsOfColumn.length,
    question:
      given === undefined && 'column' in choice && !choice.isSure
        ? buildQuestion(cells, rows, header?.line)
        : undefined,
  };
}

/** Whether at least half of the cells are texts with a URL that is not first. */
function isMostlyText(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '');
  const texts = filled.filter((cell) => readSampleCell(cell).weight === 0 && readSampleText(cell).weight > 0);
  return texts.length * 2 >= filled.length;
}

/** Returns the order of the numbers in the dates of a column, from all rows of the head, or from the language. */
function findOrder(
  { bytes, complete }: FileHead,
  { delimiter, sample }: Dialect,
  header: readonly string[],
  column: number | undefined,
): DateOrder {
  if (column === undefined) return undefined;
  const others = header.flatMap((_, other) =>
    other !== column && sample.some(({ cells }) => isNumericDate(cells[other] ?? '')) ? other : [],
  );
  const columns = [column, ...others].map((one) => ({ column: one, dates: [] as string[] }));
  const scanner = createScanner({
    delimiter,
    columns: [column, ...others],
    onRecord: (record) => {
      for (const [slot, { dates }] of columns.entries()) dates.push(cellText(record, slot) ?? '');
    },
    onMalformed: () => {},
  });
  scanner.scan(bytes, bytes.length, complete);
  const [own = [], ...rest] = columns.map(({ dates }) => dates);
  return findDateOrder(own, { others: rest, language: findLanguageOrder(header) });
}

/**
 * Returns the first record if its cells only look like hosts, and pages are below them. At least one is a known name,
 * such as `source.link`, or several end in a word of known names, such as `seo.link`, one of them above the user's own
 * pages. Those with an unknown top-level domain, such as `first.seen`, are no hosts anyway.
 */
function findDottedHeader([first, ...rows]: readonly SampleRecord[], site: OwnSite): SampleRecord | undefined {
  if (first === undefined) return undefined;
  const isAbovePages = (column: number) => {
    const below = rows.map(({ cells }) => readSampleCell(cells[column] ?? '').weight).filter((weight) => weight > 0);
    return below.length > 0 && below.every((weight) => weight === 3);
  };
  const isName = (cell: string) => isHostLike(cell) && endsInName(cell) && !site.isOwn(readSampleCell(cell).host ?? '');
  const isAboveOwn = (column: number) =>
    rows.every(({ cells }) => site.isOwn(readSampleCell(cells[column] ?? '').host ?? ''));
  const areNames =
    first.cells.filter(isName).length > 1 && first.cells.some((cell, i) => isName(cell) && isAboveOwn(i));
  const names = first.cells.map(
    (cell, column) => isHostLike(cell) && (isDottedName(cell) || (areNames && isName(cell))) && isAbovePages(column),
  );
  const hasRow = first.cells.some((cell, column) => !names[column] && readSampleCell(cell).host !== undefined);
  return names.includes(true) && !hasRow ? first : undefined;
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
    isDisavow,
    column,
    isGiven,
  }: { header: readonly string[]; isPlain: boolean; isDisavow: boolean; column: number; isGiven: boolean },
): Pick<DetectedFormat, 'tool' | 'report' | 'column'> {
  const name = printable(header[column] ?? '');
  if (dialect.header !== undefined && name !== '') return { ...recognizeFormat(header, column), column: name };
  if (isDisavow) return { tool: 'Google', report: 'Disavow file', column: 'every line' };
  if (isPlain) return { tool: 'Plain list', report: 'One address per line', column: 'every line' };
  return {
    tool: dialect.header === undefined ? 'Unknown tool' : recognizeFormat(header, column).tool,
    report: isGiven ? 'Source column chosen by the user' : 'Source column chosen by its content',
    column: name === '' ? `column ${column + 1}` : `column ${column + 1} (“${name}”)`,
  };
}

/** Whether a line is an entry about a domain, with what people write around it: `- domain:x.com`, `domain = x.com` */
function isDomainEntry(line: string): boolean {
  const text = line.replace(bullet, '').replace(/^["']/, '');
  const entry = text.replace(wrongColon, '').replace(/^domain\s*:\s*/i, '');
  return entry !== text && /^\S+\.\S/.test(entry);
}

/**
 * Whether a list, or the first column of a table without a header, has entries about domains in at least a quarter of
 * its lines. Others are about pages, but a list of pages can have some entries too.
 */
function listsDisavowEntries({ header, delimiter }: Dialect, rows: readonly SampleRecord[]): boolean {
  if (header !== undefined && delimiter !== NO_DELIMITER) return false;
  const entries = rows.map(({ cells }) => trimInvisible(cells[0] ?? '')).filter((text) => /^[^#]/.test(text));
  const domains = entries.filter(isDomainEntry);
  return domains.length > 0 && domains.length * 4 >= entries.length;
}

/** Returns the first line if it has no address, because its words can name a wrong report. */
function findNames([first]: readonly SampleRecord[]): readonly string[] {
  return first?.cells.every((cell) => readSampleCell(cell).host === undefined) ? first.cells : [];
}

/** Returns the first line if nothing in it is like an address. Only its names count. */
function findUnknownHeader([first]: readonly SampleRecord[]): SampleRecord | undefined {
  return first?.cells.some(isAddressLike) === false ? first : undefined;
}

/**
 * Returns the last header-like line before the first address of the column: it has text in that column, and in no cell
 * an address, not even one that would be skipped.
 */
function findHeaderAbove(
  sample: readonly SampleRecord[],
  column: number,
  isInTexts: boolean,
): SampleRecord | undefined {
  const read = isInTexts ? readSampleText : readSampleCell;
  const first = sample.findIndex(({ cells }) => read(cells[column] ?? '').host !== undefined);
  for (let i = first - 1; i >= 0; i -= 1) {
    const record = sample[i];
    if (record === undefined || record.line > 11) continue;
    const hasAddress = record.cells.some(isAddressLike);
    const name = (record.cells[column] ?? '').trim();
    if (name !== '' && !name.startsWith('#') && !hasAddress) return record;
  }
  return undefined;
}

function isHostLike(cell: string): boolean {
  const { host, problem } = readSampleCell(cell);
  return host !== undefined || problem === 'unknown top-level domain';
}

function isAddressLike(cell: string): boolean {
  return isHostLike(cell) || readSampleCell(cell).problem === 'IP address' || /https?:\/\//i.test(cell);
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
