import {
  addFact,
  areListedNames,
  areVerdicts,
  isAboutOtherSites,
  isHarmlessField,
  isVerdictField,
  noFacts,
  rankNameField,
} from '../../hostnames/links/name-fields.ts';
import { type CsvRecord, cellText } from '../../platform/csv/csv-record.ts';
import { detectDialect, type SampleRecord } from '../../platform/csv/dialect.ts';
import type { FileHead } from '../../platform/csv/file-bytes.ts';
import { toShownText } from '../../platform/csv/linked-cell.ts';
import { createScanner } from '../../platform/csv/scanner.ts';
import { restoreCell } from '../../platform/csv/write-csv.ts';
import { type AddEntry, isAddress, isName, readSimpleLine, toUnread } from './entry.ts';
import type { ByteScanner } from './scan-lines.ts';

export interface CsvColumns {
  delimiter: number;
  /** Zero-based. */
  columns: number[];
  /** Other columns with names, and how they are called in messages. */
  unread: { column: number; name: string }[];
  /** Columns that tell which rows are exceptions. */
  verdicts: { column: number; name: string }[];
  /** Lines up to this one are not rows: 0 without a header. */
  headerLine: number;
}

/**
 * Finds the columns of domains: those with the best name for domains that mostly contain addresses, otherwise all with
 * mostly domains, otherwise the first one with mostly addresses. Returns undefined if there is none.
 */
export function findCsvColumns(head: Pick<FileHead, 'bytes' | 'complete' | 'delimiter'>): CsvColumns | undefined {
  const { delimiter, header, sample, separatorLine } = detectDialect(head, scoreHeader);
  const headerLine = header?.line ?? separatorLine;
  const rows = sample.filter((record) => record.line > headerLine && !isComment(record));
  const width = Math.max(header?.cells.length ?? 0, ...rows.map(({ cells }) => cells.length));
  const names = (header ?? findUnknownHeader(rows))?.cells ?? [];
  const all = Array.from({ length: width }, (_, column) => {
    const name = names[column]?.trim() ?? '';
    const facts = measureColumn(rows, column);
    return { column, name, rank: rankNameField(header?.cells[column] ?? ''), facts, isOther: isAboutOtherSites(name) };
  });
  const named = all.filter(({ rank }) => rank >= 0).sort((a, b) => a.rank - b.rank);
  const isMostlyAddresses = ({ facts }: (typeof all)[number]) =>
    facts.addresses > 0 && facts.addresses * 2 >= facts.values;
  const best = named.find(isMostlyAddresses);
  const chosen = best
    ? named.filter((one) => one.rank === best.rank && (one === best || areListedNames(one.facts)))
    : all.filter(({ facts, isOther }) => !isOther && areListedNames(facts));
  if (chosen.length === 0) {
    const isMostlyNames = ({ facts }: (typeof all)[number]) => facts.names > 0 && facts.names * 2 >= facts.values;
    const first =
      all.find(isMostlyNames) ??
      all.find(isMostlyAddresses) ??
      named.find(({ facts }) => facts.addresses > 0 || rows.length === 0);
    if (first) chosen.push(first);
  }
  if (chosen.length === 0) return undefined;
  const unread = all
    .filter((one) => !chosen.includes(one) && one.facts.names > 0)
    .map(({ column, name }) => ({ column, name: name || `column ${column + 1}` }));
  const verdicts = all
    .filter((one) => !chosen.includes(one))
    .map(({ column, name }) => ({ column, name: name || (areVerdicts(listCells(rows, column)) ? 'action' : '') }))
    .filter(({ name }) => isVerdictField(name));
  return { delimiter, columns: chosen.map(({ column }) => column), unread, verdicts, headerLine };
}

/** A comment that is a header has at least two cells; one with a single word is the title of a list of names. */
function scoreHeader(cells: readonly string[]): number {
  if (cells.length === 1 && (cells[0] ?? '').trim().startsWith('#')) return 0;
  return cells.some((cell) => rankNameField(cell) >= 0) ? cells.length : 0;
}

/** The first row, if none of its cells is an address. It is read like the others, and only gives names to columns. */
const findUnknownHeader = ([first]: readonly SampleRecord[]): SampleRecord | undefined =>
  first?.cells.some((cell) => readSimpleLine(cell).some(isAddress)) === false ? first : undefined;

const isComment = ({ cells }: SampleRecord) => cells[0]?.trim().startsWith('#') === true;

const listCells = (rows: readonly SampleRecord[], column: number) =>
  rows.map(({ cells }) => (cells[column] ?? '').trim());

function measureColumn(rows: readonly SampleRecord[], column: number) {
  const facts = noFacts();
  for (const { cells } of rows) {
    const cell = cells[column] ?? '';
    const [entry] = readSimpleLine(restoreCell(cell));
    if (cell.trim() !== '') {
      addFact(facts, entry && isName(entry) ? entry.name : undefined, entry !== undefined && isAddress(entry));
    }
  }
  return facts;
}

/**
 * Creates a scanner that passes the entries of each row to `add`, also those of columns that are not read. Blank rows
 * and comments are skipped.
 */
export function createCsvScanner(
  { delimiter, columns, unread, verdicts, headerLine }: CsvColumns,
  add: AddEntry,
): ByteScanner {
  // The first two tell a row without a domain from a blank one.
  const scanned = [...new Set([0, 1, ...columns, ...[...unread, ...verdicts].map(({ column }) => column)])];
  const slots = columns.map((column) => scanned.indexOf(column));
  const unreadSlots = unread.map(({ column, name }) => ({ slot: scanned.indexOf(column), reason: toUnread(name) }));
  const verdictSlots = verdicts.map(({ column, name }) => ({ slot: scanned.indexOf(column), name }));
  return createScanner({
    delimiter,
    columns: scanned,
    onRecord: (record) => {
      if (record.line <= headerLine || isBlank(record)) return;
      if (cellText(record, 0)?.trim().startsWith('#') === true) return;
      const readSlot = (slot: number) => readSimpleLine(restoreCell(cellText(record, slot) ?? ''));
      const entries = slots.flatMap(readSlot);
      const isException = verdictSlots.some(({ slot, name }) =>
        isHarmlessField(name, toShownText(cellText(record, slot) ?? '')),
      );
      for (const entry of entries) add(isException && isName(entry) ? 'exception' : entry);
      if (entries.length === 0) add('invalid');
      for (const { slot, reason } of unreadSlots) for (const entry of readSlot(slot)) if (isName(entry)) add(reason);
    },
    onMalformed: (line) => {
      if (line > headerLine) add('invalid');
    },
  });
}

function isBlank(record: CsvRecord): boolean {
  return record.blank || (record.count === 1 && cellText(record, 0)?.trim() === '');
}
