import { stat } from 'node:fs/promises';
import { guessColumns } from '../../blacklist/imports/columns.ts';
import { readLinkHost } from '../../hostnames/links/links.ts';
import { type UnpackedFiles, unpackTables } from '../../platform/archives/archives.ts';
import { createBudget } from '../../platform/archives/budget.ts';
import { type CsvRecord, cellText } from '../../platform/csv/csv-record.ts';
import type { Dialect } from '../../platform/csv/dialect.ts';
import { type FileHead, readHead, scanFile } from '../../platform/csv/file-bytes.ts';
import { createScanner, NO_DELIMITER, type Scanner } from '../../platform/csv/scanner.ts';
import { isUnreadableFile, UnreadableFile } from '../../platform/csv/unreadable-file.ts';
import { restoreCell } from '../../platform/csv/write-csv.ts';
import { createEntryCollector, type EntryCollector, type NameList } from './collect-entries.ts';
import { findCurrency, pricePattern } from './prices.ts';
import { addLine } from './read-line.ts';

/** A list can be one long line. */
const maxLineBytes = 4 * 1024 * 1024;
/** What an archive or workbook may unpack to. Enough for 10,000 rows with 30 columns; more would occupy the server. */
const maxUnpackedBytes = 16 * 1024 * 1024;
const maxMalformedBytes = 200;

/** Reads a pasted text: a list or the cells of a table. @throws UnusableList if it is empty or too long */
export function readListText(text: string): NameList {
  const bytes = Buffer.from(text);
  const collector = createEntryCollector();
  const head: FileHead = { bytes, encoding: 'UTF-8', markBytes: 0, complete: true };
  createListScanner(head, collector).scan(bytes, bytes.length, true);
  return collector.finish();
}

interface ListFile {
  path: string;
  /** The name on the user's machine. */
  fileName: string;
  /** Where it is unpacked. */
  folder: string;
}

/**
 * Reads an uploaded file: a list or a table, which can be in a workbook or an archive. Removes what it unpacks.
 * @throws UnreadableFile for a file without domains, UnusableList for a list that is too long
 */
export async function readListFile({ path, fileName, folder }: ListFile): Promise<NameList> {
  const budget = createBudget((await stat(path)).size, { maxBytes: maxUnpackedBytes });
  await using unpacked = await unpackTables({ path, name: fileName }, { folder, budget });
  const lists: NameList[] = [];
  let problem: unknown;
  for (const table of unpacked.tables) {
    try {
      const list = await readTable(table);
      if (list) lists.push(list);
    } catch (error) {
      if (!isUnreadableFile(error)) throw error;
      problem ??= error;
    }
  }
  if (lists.length === 0) throw problem ?? new UnreadableFile('no_addresses', noDomains);
  return mergeLists(lists);
}

/** Returns undefined for a table without domains, such as a sheet with notes. */
async function readTable({ path, delimiter }: UnpackedFiles['tables'][number]) {
  const collector = createEntryCollector();
  const head = { ...(await readHead(path)), delimiter };
  for await (const _ of scanFile(path, createListScanner(head, collector), head));
  const list = collector.isEmpty() ? undefined : collector.finish();
  return list && list.valid > 0 ? list : undefined;
}

function mergeLists(lists: readonly NameList[]): NameList {
  const collector = createEntryCollector();
  for (const { domain, price } of lists.flatMap(({ entries }) => entries)) collector.add(domain, price ?? undefined);
  const merged = collector.finish();
  return { ...merged, duplicates: lists.reduce((sum, { duplicates }) => sum + duplicates, merged.duplicates) };
}

const noDomains = 'This file contains no domains. Choose a list of domains, or a table with a column of domains.';

/** Creates a scanner that adds the entries of a list or table. The start of it decides how it is read. */
function createListScanner(head: FileHead, collector: EntryCollector): Scanner {
  const { delimiter, columns, moreDomains, linesBefore, currency } = planReading(head);
  const isTable = delimiter !== NO_DELIMITER;
  const addRecord = (record: CsvRecord) => {
    if (record.line <= linesBefore) return;
    const [first = '', price] = columns.map((_, slot) => restoreCell(cellText(record, slot) ?? ''));
    if (!isTable) addLine(first, collector, currency);
    else if (!first.trimStart().startsWith('#')) {
      collector.add(first, price, currency);
      for (const [i] of moreDomains.entries()) {
        collector.add(restoreCell(cellText(record, columns.length + i) ?? ''), price, currency);
      }
    }
  };
  return createScanner({
    delimiter,
    columns: [...columns, ...moreDomains],
    limit: maxLineBytes,
    onRecord: addRecord,
    onMalformed: (line, buffer, start, end) => {
      if (line > linesBefore) collector.add(buffer.toString('utf8', start, Math.min(end, start + maxMalformedBytes)));
    },
  });
}

interface ListPlan {
  /** NO_DELIMITER for a list, whose lines are split by `addLine`. */
  delimiter: number;
  /** The column of domains and that of prices, if there is one. */
  columns: number[];
  /** Other columns of domains. */
  moreDomains: number[];
  /** Lines of a header and above it. */
  linesBefore: number;
  /** The currency in the header of the prices. */
  currency: string | undefined;
}

function planReading(head: FileHead): ListPlan {
  const { dialect, mapping } = guessColumns(head);
  const { header, sample, separatorLine } = dialect;
  const { domain } = mapping.columns;
  const isHeader = header !== undefined && !sample.some(({ line, cells }) => line < header.line && cells.some(isHost));
  const names = isHeader ? header.cells : [];
  const rows = sample.filter(({ line }) => line > mapping.headerLine);
  const price = mapping.columns.cost ?? (domain === undefined ? undefined : findPriceColumn(names, rows, domain));
  const currency = price === undefined ? undefined : findCurrency(names[price] ?? '');
  if (domain !== undefined && (isHeader || !header) && isTable(dialect, names, domain, price)) {
    const columns = price === undefined ? [domain] : [domain, price];
    const { headerLine, moreDomains = [] } = mapping;
    return { delimiter: dialect.delimiter, columns, moreDomains, linesBefore: headerLine, currency };
  }
  const linesBefore = isHeader ? header.line : separatorLine;
  return { delimiter: NO_DELIMITER, columns: [0], moreDomains: [], linesBefore, currency };
}

/**
 * Whether a text is read by its columns. Lines of names, or of names and prices, are read as such: there, a comma can
 * also stand inside a price.
 */
function isTable({ delimiter, sample }: Dialect, names: readonly string[], domain: number, price?: number): boolean {
  if (delimiter === NO_DELIMITER) return false;
  if (names.length > 0) return names.length > 2 || domain !== 0 || (names.length === 2 && price !== 1);
  const others = sample.flatMap(({ cells }) => cells.filter((cell, column) => column !== domain && cell.trim() !== ''));
  return sample.length > 1 && !others.some(isHost) && others.some((cell) => !isPrice(cell));
}

/** Finds a column of prices by its name or, without a name, by currencies in its cells. */
function findPriceColumn(names: readonly string[], rows: Dialect['sample'], domain: number): number | undefined {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const columns = Array.from({ length: width }, (_, column) => ({
    column,
    cells: rows.map(({ cells }) => cells[column]?.trim() ?? '').filter((cell) => cell !== ''),
  })).filter(({ column, cells }) => column !== domain && cells.filter(isPrice).length * 2 > cells.length);
  const named = columns.find(({ column }) => priceName.test(names[column] ?? ''));
  const found = named ?? columns.find(({ cells }) => cells.some((cell) => findCurrency(cell) !== undefined));
  return found?.column;
}

const priceName = /price|cost|\b(?:fee|rate)\b/i;
const isHost = (cell: string): boolean => typeof readLinkHost(cell) === 'string';
const isPrice = (cell: string): boolean => wholePrice.test(cell.trim());
const wholePrice = new RegExp(`^${pricePattern}$`);
