import { stat } from 'node:fs/promises';
import { type FeedFormat, unreadPrefix } from '#shared/blacklist/feeds.ts';
import { unpackTables } from '../../platform/archives/archives.ts';
import { createBudget } from '../../platform/archives/budget.ts';
import { type FileHead, readHead, scanFile } from '../../platform/csv/file-bytes.ts';
import { UnreadableFile } from '../../platform/csv/unreadable-file.ts';
import { readAdblockLine } from '../list-formats/adblock-rules.ts';
import { createCsvScanner, findCsvColumns } from '../list-formats/csv-names.ts';
import { detectFormat, rejectOtherContent } from '../list-formats/detect-format.ts';
import {
  type AddEntry,
  createSimpleReader,
  type Entry,
  isName,
  type ListedName,
  toUnread,
} from '../list-formats/entry.ts';
import { createJsonScanner } from '../list-formats/json-names.ts';
import { listError, noJsonListError, noNamesError, toListError } from '../list-formats/list-errors.ts';
import { type ByteScanner, createLineScanner } from '../list-formats/scan-lines.ts';
import { createTreeNames, createTreePlanner, type TreeReader } from '../list-formats/tree-names.ts';
import { createUblacklistReader } from '../list-formats/ublacklist-rules.ts';
import { createYamlScanner } from '../list-formats/yaml-names.ts';

/** How many lines are not used, by `RejectionReason`, and names in places that are not read, by `UnreadPlace`. */
export type Rejected = Record<string, number>;

export interface ListPart {
  /** A name can occur several times in a list. */
  names: ListedName[];
  rejected: Rejected;
  /** The share of the list that has been read so far, 0 to 1. */
  share: number;
}

export interface OpenList extends AsyncDisposable {
  format: FeedFormat;
  /** Can be iterated once. @throws UnreadableFile if the list has no name, or is JSON that is not valid */
  parts: AsyncIterable<ListPart>;
}

interface Table {
  path: string;
  bytes: number;
  head: FileHead;
  format: FeedFormat;
}

const maxUnpackedBytes = 500 * 1024 ** 2;
const batchSize = 5000;
/** Small enough that a batch is not much larger than `batchSize`. */
const chunkBytes = 65_536;
/** More columns and fields that are not read are counted together. */
const maxUnreadPlaces = 20;
const otherPlaces = toUnread('…');
/** A part is passed on at least after this many bytes, also if they contain no names. */
const maxPartBytes = 4 * 1024 ** 2;

/**
 * Detects the format of a downloaded list by its content, unless `format` is given, and yields its names in batches of
 * about 5,000. A gzip or zip archive is unpacked first, and all text files in it are one list, each in its own format;
 * the returned format is that of the largest one. Comments are never kept. Memory does not grow with the size of the
 * list.
 * @param folder for unpacked copies, which are removed at the end
 * @throws UnreadableFile with a sentence for an admin whose download failed
 */
export async function openList(path: string, format: FeedFormat | 'auto', folder: string): Promise<OpenList> {
  try {
    const { size } = await stat(path);
    const budget = createBudget(size, { maxBytes: maxUnpackedBytes });
    const unpacked = await unpackTables({ path, name: '' }, { folder, budget });
    try {
      const damaged = unpacked.ignored.find(({ code }) => code === 'archive');
      if (damaged !== undefined) throw listError('archive');
      const tables = await openTables(unpacked.tables, format);
      const [largest] = tables.toSorted((a, b) => b.bytes - a.bytes);
      if (largest === undefined) throw listError('empty');
      return {
        format: largest.format,
        parts: readTables(tables),
        [Symbol.asyncDispose]: () => unpacked[Symbol.asyncDispose](),
      };
    } catch (error) {
      await unpacked[Symbol.asyncDispose]();
      throw error;
    }
  } catch (error) {
    throw toListError(error);
  }
}

/** Files that describe a list instead of being one. */
const isDescription = (name: string) => /(^|[/:]\s?)(readme|licen[cs]e|copying|notice|changelog)[^/]*$/i.test(name);

/** Opens all files that are text. @throws the reason for the first one if none is */
async function openTables(
  files: readonly { path: string; name: string; delimiter?: number }[],
  format: FeedFormat | 'auto',
): Promise<Table[]> {
  const lists = files.filter(({ name }) => !isDescription(name));
  const tables: Table[] = [];
  let firstError: unknown;
  for (const { path, delimiter } of lists.length > 0 ? lists : files) {
    try {
      const [head, { size }] = await Promise.all([readHead(path, { allowJson: true }), stat(path)]);
      const known = { ...head, delimiter: head.hasQuotedLines ? undefined : delimiter };
      rejectOtherContent(head.bytes, head.bytes.toString('utf8'));
      tables.push({ path, bytes: size, head: known, format: format === 'auto' ? detectFormat(known) : format });
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      firstError ??= error;
    }
  }
  if (tables.length === 0 && firstError !== undefined) throw firstError;
  return tables;
}

async function* readTables(tables: readonly Table[]): AsyncGenerator<ListPart> {
  const totalBytes = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  let part: Omit<ListPart, 'share'> = { names: [], rejected: {} };
  let names = 0;
  let rejected = 0;
  const unread = new Set<string>();
  const add = (entry: Entry) => {
    if (isName(entry)) {
      part.names.push(entry);
      names += 1;
      return;
    }
    rejected += 1;
    const isNewPlace = entry.startsWith(unreadPrefix) && !unread.has(entry);
    const counted = isNewPlace && unread.size === maxUnreadPlaces ? otherPlaces : entry;
    if (isNewPlace) unread.add(counted);
    part.rejected[counted] = (part.rejected[counted] ?? 0) + 1;
  };
  let bytesBefore = 0;
  let yieldedBytes = 0;
  try {
    for (const table of tables) {
      const { encoding, markBytes, hasQuotedLines } = table.head;
      const scanner = await createScanner(table, add);
      for await (const { bytesRead } of scanFile(table.path, scanner, {
        encoding,
        markBytes,
        hasQuotedLines,
        chunkBytes,
      })) {
        const bytes = bytesBefore + bytesRead;
        if (part.names.length < batchSize && bytes - yieldedBytes < maxPartBytes) continue;
        yield { ...part, share: bytes / totalBytes };
        part = { names: [], rejected: {} };
        yieldedBytes = bytes;
      }
      bytesBefore += table.bytes;
    }
  } catch (error) {
    throw toListError(error);
  }
  if (names === 0) throw noNamesError(rejected);
  yield { ...part, share: 1 };
}

async function createScanner({ format, head, path }: Table, add: AddEntry): Promise<ByteScanner> {
  if (format === 'json' || format === 'yaml' || format === 'clash') {
    const scan = (reader: TreeReader) =>
      format === 'json' ? createJsonScanner(head.bytes.toString('utf8'), reader) : createYamlScanner(reader);
    const planner = createTreePlanner(format === 'clash');
    const { encoding, markBytes } = head;
    for await (const _ of scanFile(path, scan(planner), { encoding, markBytes, chunkBytes }));
    const plan = planner.finish();
    if (!plan) throw format === 'json' ? noJsonListError() : listError('empty');
    return scan(createTreeNames(plan, add));
  }
  if (format === 'csv') {
    const columns = findCsvColumns(head);
    if (columns === undefined) throw listError('missing_columns');
    return createCsvScanner(columns, add);
  }
  const readLine =
    format === 'adblock' ? readAdblockLine : format === 'ublacklist' ? createUblacklistReader() : createSimpleReader();
  return createLineScanner(
    (line) => {
      for (const entry of readLine(line)) add(entry);
    },
    () => add('invalid'),
  );
}
