import type { Db } from '../db/database.ts';
import { stagedColumns } from './staged-row.ts';
import {
  analyzeDomains,
  createStaging,
  insertUnlisted,
  measureStaging,
  prepareMerge,
  tryMergeLock,
  uniteStaged,
  updateListed,
  waitForMergeLock,
} from './store-merge.ts';

/** The COPY statement that fills the staging table with `stagedLine`s. */
export const copyStaged = `copy staged_domains (${stagedColumns}) from stdin`;

/** Makes an empty staging table that ends with the transaction. */
export async function openStaging(trx: Db): Promise<void> {
  await prepareMerge(trx);
  await createStaging(trx);
}

export interface MergeOptions {
  /** Username for `added_by` of new rows. */
  addedBy: string | null;
  now: Date;
  /** Another merge is under way; ours goes on after it. */
  onWait(): void;
  /** Rows of the staging table done so far, and what came of them. */
  onProgress(done: number, total: number, counts: MergeCounts): void;
}

export interface MergeCounts {
  /** New names. */
  imported: number;
  /** Listed names in which something changed. */
  updated: number;
}

/** Rows merged by one statement: small enough to report progress in between, large enough to spread its cost. */
const sliceRows = 100_000;

/**
 * Merges the staging table into the blacklist. Rows on the same name are united; on a listed name sources are united, filled
 * cells replace, empty ones keep, and a row in which nothing changes stays untouched. A level in the row wins; one that was
 * given earlier stays; any other follows from the number of sources. Merges of several transactions come one after another.
 */
export async function mergeStaged(trx: Db, options: MergeOptions): Promise<MergeCounts> {
  const { addedBy, now, onWait, onProgress } = options;
  await uniteStaged(trx);
  const { rows, pages } = await measureStaging(trx);
  if (!(await tryMergeLock(trx))) {
    onWait();
    await waitForMergeLock(trx);
  }
  const counts: MergeCounts = { imported: 0, updated: 0 };
  const step = Math.max(1, Math.ceil((pages * sliceRows) / Math.max(1, rows)));
  for (let first = 0; first < pages; first += step) {
    const slice = { first, end: first + step };
    let missed: boolean;
    do {
      counts.updated += await updateListed(trx, slice, now);
      const { inserted, wanted } = await insertUnlisted(trx, slice, addedBy, now);
      counts.imported += inserted;
      missed = inserted < wanted;
    } while (missed);
    onProgress(Math.min(rows, Math.round((rows * slice.end) / pages)), rows, { ...counts });
  }
  return counts;
}

/** Tells the planner of a merge of many rows; the database's own look comes up to a minute later. */
export async function refreshStatistics(db: Db, { imported, updated }: MergeCounts): Promise<void> {
  if (imported + updated >= sliceRows / 10) await analyzeDomains(db);
}
