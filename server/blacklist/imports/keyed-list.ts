import { unreadPrefix } from '#shared/blacklist/feeds.ts';
import type { ReadingOptions } from '#shared/blacklist/import-preview.ts';
import { isAllowingPlace } from '../../hostnames/links/name-fields.ts';
import { scanFile } from '../../platform/csv/file-bytes.ts';
import { UnreadableFile } from '../../platform/csv/unreadable-file.ts';
import { type Entry, isName } from '../list-formats/entry.ts';
import type { ByteScanner } from '../list-formats/scan-lines.ts';
import { createTreeNames, createTreePlanner } from '../list-formats/tree-names.ts';
import { createYamlScanner } from '../list-formats/yaml-names.ts';
import type { FileRow, RowFailure } from './file-row.ts';
import type { ImportTable } from './open-tables.ts';
import { parseDomainRow, printable, ruleReason } from './parse-row.ts';

/** A part of a file that has been read. */
export interface ReadPart {
  rows: FileRow[];
  failures: RowFailure[];
  /** The share of the file that has been read, 0 to 1. */
  share: number;
  /** The line of the last row so far. */
  lastLine: number;
}

const exceptionReason = 'According to the list, this site is not listed.';
const keyedReasons: Partial<Record<Entry & string, string>> = {
  exception: exceptionReason,
  path: 'This is the address of a page: enter a domain name such as example.com.',
  invalid: 'This is not a domain name: enter a name such as example.com.',
};

/** Reads a list in YAML as feeds do, because its keys tell which names it lists. */
export async function* readKeyedList(
  { path, head }: ImportTable,
  {
    format,
    defaultSource = '',
    defaultKind,
    chunkBytes,
  }: ReadingOptions & { format: 'yaml' | 'clash'; chunkBytes?: number | undefined },
  onUnread: (columns: readonly string[]) => void,
): AsyncGenerator<ReadPart> {
  const { encoding, markBytes } = head;
  const source = { source: defaultSource, ...(defaultKind && { sourceKind: defaultKind }) };
  const scan = (scanner: ByteScanner) =>
    scanFile(path, scanner, { encoding, markBytes, ...(chunkBytes && { chunkBytes }) });
  const planner = createTreePlanner(format === 'clash');
  for await (const _ of scan(createYamlScanner(planner)));
  const plan = planner.finish();
  if (!plan) throw new UnreadableFile('no_rows', 'The file has no rows.');

  let rows: FileRow[] = [];
  let failures: RowFailure[] = [];
  const unread = new Set<string>();
  let current = { line: 0, text: '' };
  /** The lines at which the open objects and arrays start. */
  const starts: (typeof current)[] = [];
  let at = current;

  function add(entry: Entry): void {
    const fail = (reason: string) => failures.push({ line: at.line, value: printable(at.text), reason });
    if (isName(entry)) {
      const row = parseDomainRow(at.line, { domain: entry.name, ...source });
      if ('reason' in row) fail(row.reason);
      else rows.push(row);
    } else if (!entry.startsWith(unreadPrefix)) fail(keyedReasons[entry] ?? ruleReason);
    else if (isAllowingPlace(entry)) fail(exceptionReason);
    else unread.add(entry.slice(unreadPrefix.length));
  }

  const names = createTreeNames(plan, add);
  const scanner = createYamlScanner(
    {
      ...names,
      open(isArray) {
        starts.push(current);
        names.open(isArray);
      },
      close() {
        // What an object lists is known at its end.
        at = starts.pop() ?? current;
        names.close();
        at = current;
      },
    },
    (text, line) => {
      current = { line, text };
      at = current;
    },
  );
  for await (const { bytesRead, totalBytes } of scan(scanner)) {
    yield { rows, failures, share: bytesRead / totalBytes, lastLine: current.line };
    rows = [];
    failures = [];
  }
  if (unread.size > 0) onUnread([...unread]);
}
