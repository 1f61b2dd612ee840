import { type RiskLevel, riskLevels } from '#shared/domains.ts';
import { copyLine } from '../db/copy.ts';
import type { Db } from '../db/database.ts';
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

/** Columns of the staging table, in the order of `stagedLine`. */
export const stagedColumns =
  'line, name, tld, source, risk_level, description, source_details, notes, niche, domain_rating, outbound_links, cost';

/** The row as a line of COPY text for the staging table. */
export function stagedLine(row: StagedRow): string {
  return copyLine([
    row.line,
    row.name,
    row.tld,
    row.source.join(', '),
    row.riskLevel && riskLevels.indexOf(row.riskLevel) + 1,
    row.description,
    row.sourceDetails,
    row.notes,
    row.niche,
    row.domainRating,
    row.outboundLinks,
    row.cost,
  ]);
}

/** The COPY statement that fills the staging table with `stagedLine`s. */
export const copyStaged = `copy staged_domains (${stagedColumns}) from stdin`;

/** Makes an empty staging table that ends with the transaction. */
export async function openStaging(trx: Db): Promise<void> {
  await prepareMerge(trx);
  await createStaging(trx);
}

interface MergeOptions {
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
