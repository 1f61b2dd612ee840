import type { Writable } from 'node:stream';
import type { RiskLevel } from '#shared/domains.ts';
import type { Db } from '../db/database.ts';
import {
  analyzeDomains,
  insertUnlisted,
  lockMerge,
  measureStaging,
  mergeStagedRows,
  stageRows,
  updateListed,
} from './store-merge.ts';

/** A row that waits to be merged into the blacklist. What is absent is unknown and changes nothing. */
export interface StagedRow {
  /** Its place among the rows: of two rows on the same name the later one fills in last. */
  line: number;
  name: string;
  tld: string;
  /** At least one, each once whatever its case, without commas. */
  source: readonly string[];
  description?: string;
  riskLevel?: RiskLevel;
  sourceDetails?: string;
  notes?: string;
  niche?: string;
  /** A whole number, 0 to 100. */
  domainRating?: number;
  outboundLinks?: number;
  cost?: string;
}

interface MergeOptions {
  /** Username for `added_by` of new rows. */
  addedBy: string | null;
  now: Date;
  /** All rows are read. */
  onRead(): void;
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
 * Merges batches of rows into the blacklist. Rows on the same name are united; on a listed name sources are united, filled
 * cells replace, empty ones keep, and a row in which nothing changes stays untouched. A level in the row wins; one that was
 * given earlier stays; any other follows from the number of sources. Merges of several transactions come one after another.
 */
export async function mergeRows(
  trx: Db,
  copyFrom: (statement: string) => Writable,
  batches: AsyncIterable<readonly StagedRow[]>,
  { addedBy, now, onRead, onWait, onProgress }: MergeOptions,
): Promise<MergeCounts> {
  await stageRows(trx, copyFrom, batches);
  onRead();
  await mergeStagedRows(trx);
  const { rows, pages } = await measureStaging(trx);
  await lockMerge(trx, onWait);
  const counts: MergeCounts = { imported: 0, updated: 0 };
  const step = Math.max(1, Math.ceil((pages * sliceRows) / Math.max(1, rows)));
  for (let first = 0; first < pages; first += step) {
    const slice = { first, end: first + step };
    let hasMissedRows: boolean;
    do {
      counts.updated += await updateListed(trx, slice, now);
      const { inserted, wanted } = await insertUnlisted(trx, slice, addedBy, now);
      counts.imported += inserted;
      hasMissedRows = inserted < wanted;
    } while (hasMissedRows);
    onProgress(Math.min(rows, Math.round((rows * slice.end) / pages)), rows, { ...counts });
  }
  return counts;
}

/** Tells the planner of a merge of many rows; the database's own look comes up to a minute later. */
export async function refreshStatistics(db: Db, { imported, updated }: MergeCounts): Promise<void> {
  if (imported + updated >= sliceRows / 10) await analyzeDomains(db);
}
