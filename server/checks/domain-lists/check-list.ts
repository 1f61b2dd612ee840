import { text as collect } from 'node:stream/consumers';
import type { ListResult, Network } from '#shared/checks/domain-lists.ts';
import { unnamedFamily } from '#shared/checks/domain-lists.ts';
import { isUnreadableFile } from '../../platform/csv/unreadable-file.ts';
import { type CsvValue, writeCsv } from '../../platform/csv/write-csv.ts';
import type { Db } from '../../platform/db/database.ts';
import type { ReadPool } from '../../platform/db/read-replica.ts';
import { invalidField, notFound } from '../../platform/http/errors.ts';
import { hashNames } from '../checks/checks.ts';
import { type ListEntry, type NameList, UnusableList } from './collect-entries.ts';
import { readListFile, readListText } from './read-list.ts';
import { checkEntries, type ListResults } from './results.ts';
import { findList, type ListAges } from './store.ts';

// The web process checks a short text itself, and everything else runs in a process of its own. Functions return text
// that can be sent as it is, because serializing thousands of results takes long too.

/** Connections for queries on the blacklist. */
interface CheckContext {
  db: Db;
  pool: ReadPool;
}

interface CheckOptions {
  /** Whether the caller may see the names of all sources. */
  isAdmin: boolean;
  now: Date;
}

export interface NewListTask extends CheckOptions {
  /** A pasted text, or an uploaded file with a folder for what is in it. */
  source: { text: string } | { path: string; fileName: string; folder: string };
}

export interface CheckedList {
  /** The entries, as they are stored. */
  entries: string;
  entryCount: number;
  listedCount: number;
  duplicates: number;
  /** Hash of the names, which identifies the list as a search. */
  hash: string;
  /** The JSON of an object with the results. */
  results: string;
}

/** Reads and checks a list. @throws 400 for an empty list, one with too many names, and a file without domains */
export async function checkNewList(context: CheckContext, { source, ...options }: NewListTask): Promise<CheckedList> {
  const { entries, duplicates } = await readSource(source);
  const checked = await check(context, entries, options);
  return {
    entries: writeEntries(entries),
    entryCount: entries.length,
    listedCount: checked.summary.listed,
    duplicates,
    hash: hashNames(entries.map(({ domain }) => domain)),
    results: writeResults(checked, duplicates),
  };
}

async function readSource(source: NewListTask['source']): Promise<NameList> {
  const isText = 'text' in source;
  try {
    return isText ? readListText(source.text) : await readListFile(source);
  } catch (error) {
    const isRefused = error instanceof UnusableList || isUnreadableFile(error);
    throw isRefused ? invalidField(isText ? 'text' : 'file', error.message) : error;
  }
}

export type ListFormat = 'json' | 'csv';

interface StoredListTask extends CheckOptions {
  id: string;
  userId: number | null;
  oldest: ListAges;
  format: ListFormat;
}

/** Checks a stored list like `recheckEntries`. @throws 404 for an expired list and for one of another user */
export async function recheckList(
  context: CheckContext,
  { id, userId, oldest, ...options }: StoredListTask,
): Promise<string> {
  const row = await findList(context.db, { id, userId }, oldest);
  if (!row) throw notFound('list', id);
  return recheckEntries(context, { entries: row.entries ?? '', duplicates: row.duplicates, ...options });
}

/**
 * Checks stored entries against the blacklist as it is now.
 * @returns the results as a part of a JSON object, or as CSV
 */
export async function recheckEntries(
  context: CheckContext,
  {
    entries,
    duplicates,
    format,
    ...options
  }: CheckOptions & { entries: string; duplicates: number; format: ListFormat },
): Promise<string> {
  const checked = await check(context, readEntries(entries), options);
  return format === 'json' ? writeResults(checked, duplicates) : writeTable(checked);
}

const check = ({ db, pool }: CheckContext, entries: readonly ListEntry[], { isAdmin, now }: CheckOptions) =>
  checkEntries({ readDb: db, readPool: pool, now: () => now }, entries, isAdmin);

/** Entries contain neither tabs nor line breaks. */
const writeEntries = (entries: readonly ListEntry[]): string =>
  entries.map(({ domain, price }) => (price === null ? domain : `${domain}\t${price}`)).join('\n');

const readEntries = (text: string): ListEntry[] =>
  text.split('\n').map((line) => {
    const [domain = '', price = null] = line.split('\t');
    return { domain, price };
  });

const writeResults = ({ summary, networks, results }: ListResults, duplicates: number): string =>
  JSON.stringify({ summary: { ...summary, duplicates }, networks, results });

const writeTable = ({ networks, results }: ListResults): Promise<string> =>
  collect(
    writeCsv(
      columns,
      results.map((result) => toRow(result, networks)),
    ),
  );

const columns = [
  'domain',
  'price',
  'listed',
  'matchedDomain',
  'riskLevel',
  'confidence',
  'sourceCount',
  'independentSourceCount',
  'firstListedAt',
  'niche',
  'knownPrices',
  'priceComparison',
  'sharedSources',
  'error',
] as const;

/** A result as a row of the CSV file. Several known prices, sources and families are separated by semicolons. */
function toRow(result: ListResult, networks: readonly Network[]): CsvValue[] {
  const cells: Partial<Record<(typeof columns)[number], CsvValue>> =
    'error' in result
      ? { domain: result.domain, price: result.price, error: result.error }
      : {
          ...result,
          knownPrices: result.knownPrices.join('; '),
          sharedSources: result.networks.map((position) => networks[position]?.name ?? unnamedFamily).join('; '),
        };
  return columns.map((column) => cells[column]);
}
