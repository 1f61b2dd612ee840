import type { SkippedRows } from '#shared/reports/reports.ts';
import type { CsvRecord } from '../../platform/csv/csv-record.ts';
import { createScanner } from '../../platform/csv/scanner.ts';
import type { Signals } from '../signals/signals.ts';
import { type createHostReader, toSkipReason } from './host-reader.ts';
import { keptCells, keptSlots, listKeptColumns } from './link-details.ts';
import { createFlagReader, LOST } from './link-flags.ts';
import type { LinkSet } from './link-set.ts';
import type { Table } from './open-tables.ts';
import { listSignalColumns, toSignalSlots } from './signal-columns.ts';

type SkipReason = SkippedRows['reason'];

/** Why a row is skipped, in the order in which a report lists the reasons. */
export const skipReasons: readonly SkipReason[] = [
  'empty',
  'IP address',
  'unknown top-level domain',
  'not an address',
  'own site',
  'malformed row',
];
const maxLinesPerReason = 5;

interface TableContext {
  /** The number of the table in the upload. */
  file: number;
  reader: ReturnType<typeof createHostReader>;
  links: LinkSet | undefined;
  addRow(host: number, record: CsvRecord, flags: number): void;
  signals?: Pick<Signals, 'openTable'> | undefined;
}

/** Returns a scanner that reads the rows of a table, and a function that returns its counts at the end. */
export function createTableReader({ plan }: Table, { file, reader, links, addRow, signals }: TableContext) {
  const skipped = new Map<SkipReason, SkippedRows>();
  let backlinks = 0;
  let duplicates = 0;
  const targetSlot = plan.targetColumn === undefined ? undefined : keptSlots.target;
  const readFlags = createFlagReader(plan.flagColumns, keptCells);
  const flagSlots = plan.flagColumns.map(({ column }) => column);
  const signalSlots = signals ? listSignalColumns(plan.signalColumns) : [];
  const readSignals = signals?.openTable(
    toSignalSlots({ ...plan, ...plan.signalColumns }, keptCells + flagSlots.length),
  );
  const { linesBefore, guessedHeaderLine, hasComments } = plan;
  const isRow = (line: number) => line > linesBefore && line !== guessedHeaderLine;

  function skip(reason: SkipReason, line: number): void {
    const known = skipped.get(reason);
    if (known === undefined) skipped.set(reason, { reason, count: 1, lines: [line] });
    else {
      known.count += 1;
      if (known.lines.length < maxLinesPerReason) known.lines.push(line);
    }
  }

  const scanner = createScanner({
    delimiter: plan.delimiter,
    columns: [...listKeptColumns(plan), ...flagSlots, ...signalSlots],
    onRecord: (record) => {
      if (!isRow(record.line) || (hasComments && isComment(record))) return;
      if ((record.starts[0] ?? -1) < 0) return skip(record.blank ? 'empty' : 'malformed row', record.line);
      const host = reader.read(record);
      if (host < 0) return skip(toSkipReason(host), record.line);
      const isDuplicate = links?.add(file, record, targetSlot) ?? false;
      const flags = readFlags(record);
      if ((flags & LOST) === 0) readSignals?.(host, record, isDuplicate);
      if (isDuplicate) {
        duplicates += 1;
        return;
      }
      backlinks += 1;
      addRow(host, record, flags);
    },
    onMalformed: (line) => {
      if (isRow(line)) skip('malformed row', line);
    },
  });
  return {
    scanner,
    finish: () => ({ backlinks, duplicates, skipped: skipReasons.flatMap((reason) => skipped.get(reason) ?? []) }),
  };
}

function isComment(record: CsvRecord): boolean {
  let at = record.starts[0] ?? -1;
  if (at < 0) return false;
  while (record.buffer[at] === 32 || record.buffer[at] === 9) at += 1;
  return at < (record.ends[0] ?? 0) && record.buffer[at] === 35;
}
