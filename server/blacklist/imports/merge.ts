import type { Db } from '../../platform/db/database.ts';
import { locks, takeLock } from '../../platform/db/locks.ts';
import { countInsertedNames } from '../domains/counts/changes.ts';
import { flushSearchIndex } from '../domains/queries.ts';
import {
  analyzeDomains,
  insertRepeatedListings,
  measureStaging,
  mergeSlice,
  prepareMerge,
  sortStagedRows,
  upsertListings,
} from './store-merge.ts';

interface MergeOptions {
  /** Username for `added_by` of new rows. */
  addedBy: string | null;
  now: Date;
  /** Count what would change instead of changing it. */
  dryRun?: boolean;
  /** Called when all rows have been read. */
  onRead(): void;
  /** Called if this merge has to wait for another one to finish. */
  onWait(): void;
  /** Called when no other merge can change anything until the transaction ends. */
  onLocked(): Promise<void>;
  /** Receives the number of staged rows that have been merged, and the result so far. */
  onProgress(done: number, total: number, counts: MergeCounts): void;
}

export interface MergeCounts {
  /** Domains that were not listed before. */
  imported: number;
  /** Listed domains that changed. */
  updated: number;
  /** Listed domains that did not change. */
  unchanged: number;
}

/**
 * Rows merged by one statement: few enough to report progress in between, enough to make the fixed cost per statement
 * small.
 */
const sliceRows = 100_000;
/** A merge of fewer rows queues its names, because preparing to count them would take longer. */
const minCountedRows = 2000;

/**
 * Merges rows into the blacklist. Rows with the same name become one row. If the name is listed, the sources
 * of the row are added, its fields replace the stored ones, and absent fields change nothing; a domain that does not
 * change is not written. The risk level is that of the row, else the one set earlier by hand or by a file, else it
 * follows from the number of independent sources. Only one transaction merges at a time.
 * @param stage calls `stageRows` or `stageNames`
 */
export async function mergeRows(
  trx: Db,
  stage: () => Promise<void>,
  { addedBy, now, dryRun = false, onRead, onWait, onLocked, onProgress }: MergeOptions,
): Promise<MergeCounts> {
  await prepareMerge(trx);
  await stage();
  onRead();
  const hasRepeatedNames = await sortStagedRows(trx);
  const { rows, pages } = await measureStaging(trx);
  await takeLock(trx, locks.merge, onWait);
  await onLocked();
  const counts: MergeCounts = { imported: 0, updated: 0, unchanged: 0 };
  let counted: Awaited<ReturnType<typeof countInsertedNames>>;
  const step = Math.max(1, Math.ceil((pages * sliceRows) / Math.max(1, rows)));
  for (let first = 0; first < pages; first += step) {
    const slice = { first, end: first + step };
    if (!dryRun && rows >= minCountedRows) counted ??= await countInsertedNames(trx);
    let names: string[] = [];
    // The next round sees what other transactions inserted or changed meanwhile.
    let isComplete: boolean;
    do {
      const merged = await mergeSlice(trx, slice, { addedBy, now, dryRun });
      counts.updated += merged.updated;
      counts.imported += merged.inserted;
      names = names.concat(merged.names);
      isComplete = merged.isComplete;
    } while (!isComplete);
    await Promise.all([!dryRun && upsertListings(trx, slice, now), counted?.add(names)]);
    onProgress(Math.min(rows, Math.round((rows * slice.end) / pages)), rows, { ...counts });
  }
  if (hasRepeatedNames && !dryRun) await insertRepeatedListings(trx, now);
  await counted?.store();
  counts.unchanged = Math.max(0, rows - counts.imported - counts.updated);
  return counts;
}

/** Does what autovacuum would do up to a minute after a merge of many rows: searches and estimates need it at once. */
export async function refreshAfterMerge(
  db: Db,
  { imported, updated }: Pick<MergeCounts, 'imported' | 'updated'>,
): Promise<void> {
  if (imported >= minCountedRows) await flushSearchIndex(db);
  if (imported + updated >= sliceRows / 10) await analyzeDomains(db);
}
