import type { ReadingOptions } from '#shared/blacklist/import-preview.ts';
import { inCopyTransaction } from '../../platform/db/copy.ts';
import type { Db } from '../../platform/db/database.ts';
import { completeRun } from '../../platform/jobs/runs.ts';
import type { ProcessContext } from '../../platform/processes/run-in-process.ts';
import { hasGuardGrown, loadGuard } from '../guard/guard.ts';
import { getGuardVersion } from '../guard/queries.ts';
import { loadSharedHosts } from '../guard/shared-hosts.ts';
import { findNewHeld, holdListings } from '../held/held.ts';
import { getSourceVersion, haveSourcesChanged, updateLastSeen, updateManualKinds } from '../sources/queries.ts';
import { insertSourceRun } from '../sources/queue-runs.ts';
import { readDomainRows } from './domain-rows.ts';
import { createHeldRowCollector } from './hold-rows.ts';
import { type MergeCounts, mergeRows } from './merge.ts';
import { createSourceResolver } from './resolve-sources.ts';
import { deleteFailures, type ImportProgress, insertFailures, progressColumns } from './store.ts';
import { stageRows } from './store-merge.ts';

export interface ImportTask {
  id: string;
  path: string;
  fileName: string;
  /** For unpacked copies. The caller removes it. */
  folder: string;
  reading: ReadingOptions;
  dryRun: boolean;
  addedBy: string;
  userId: number | null;
  now: Date;
}

/** Thrown when a source was changed after the file's rows were read. */
class InputChanged extends Error {}

/** Reading takes about this share of an import; writing takes the rest. */
const readingPercent = 30;

/**
 * All rejected rows are counted, but only this many are stored with line and reason, so that a wrong file cannot fill
 * the disk.
 */
const maxStoredFailures = 1_000_000;

/**
 * Merges a file into the blacklist and completes its import in one transaction, so that either all good rows are
 * imported or none. Rows that the guard objects to are held for review in the same transaction. Rejected rows are
 * stored outside of it. Starts again if a source is renamed or merged, or the guard protects more, while the file is
 * read. A dry run counts what would change, lists what would be held, and changes nothing but its import. Runs in a
 * process of its own.
 * @throws UnreadableFile, and any database error
 */
export async function importFile(context: ProcessContext<ImportProgress>, task: ImportTask): Promise<MergeCounts> {
  for (;;) {
    try {
      return await readAndMerge(context, task);
    } catch (error) {
      if (!(error instanceof InputChanged)) throw error;
    }
  }
}

async function readAndMerge(
  { db, pool, onProgress }: ProcessContext<ImportProgress>,
  { id, path, fileName, folder, reading, dryRun, addedBy, userId, now }: ImportTask,
): Promise<MergeCounts> {
  let progress = initialProgress;
  const reportProgress = (changes: Partial<ImportProgress>) => {
    progress = { ...progress, ...changes };
    onProgress(progress);
  };
  const writing = dryRun ? 'Comparing the domains' : 'Writing the domains';
  reportProgress({});
  await deleteFailures(db, id);
  const version = await getSourceVersion(db);
  const guardVersion = await getGuardVersion(db);
  const sources = createSourceResolver(db, dryRun);
  await loadSharedHosts({ db });
  const heldRows = createHeldRowCollector(await loadGuard(db), sources);
  /** Columns with domains that are not read. */
  const unread: string[] = [];
  return await inCopyTransaction(pool, async (trx, copyFrom) => {
    const counts = await mergeRows(trx, () => stageRows(copyFrom, goodRows()), {
      addedBy,
      now,
      dryRun,
      onRead: () =>
        reportProgress({
          totalCount: progress.processedCount,
          progress: readingPercent,
          message: writing,
        }),
      onWait: () => reportProgress({ message: 'Waiting for another import to finish' }),
      async onLocked() {
        if (await haveSourcesChanged(trx, version)) throw new InputChanged();
        if (await hasGuardGrown(trx, guardVersion)) throw new InputChanged();
      },
      onProgress: (done, total, { imported, updated }) => {
        const written = ((99 - readingPercent) * done) / Math.max(1, total);
        reportProgress({
          progress: readingPercent + Math.floor(written),
          imported,
          updated,
          message: writing,
        });
      },
    });
    if (!dryRun) await updateSources(trx);
    const { held, rejected } = await (dryRun ? storeHeld(trx) : holdListings(trx, heldRows.rows, now));
    const end = { ...progress, ...counts, heldCount: held, message: '' };
    end.message = formatSummary(end, rejected, unread);
    await completeRun(trx, 'imports', id, progressColumns(end));
    return counts;
  });

  /** Stores the rows that an import would hold for the result of the check. */
  async function storeHeld(trx: Db): Promise<{ held: number; rejected: number }> {
    const rows = await findNewHeld(trx, heldRows.rows);
    const failures = rows.map(({ line, domain, reason }) => ({ line, value: domain, reason }));
    await insertFailures(trx, id, failures, true);
    return { held: rows.length, rejected: heldRows.rows.length - rows.length };
  }

  async function updateSources(trx: Db): Promise<void> {
    const kinds = [...sources.givenKinds()].map(([id, kind]) => ({ id, kind }));
    const sourceIds = await updateManualKinds(trx, kinds);
    if (sourceIds.length > 0) {
      const title = 'Set source kinds from an imported file';
      await insertSourceRun(trx, { id: userId, username: addedBy }, { title, sourceIds, onlyShared: false });
    }
    await updateLastSeen(trx, [...sources.seenIds()], now);
  }

  /** Yields the rows to merge, and stores the rejected rows. */
  async function* goodRows() {
    const file = { path, fileName, folder };
    for await (const { rows, failures, share } of readDomainRows(file, reading, (columns) => unread.push(...columns))) {
      const { passing, held, refused } = await heldRows.partition(rows);
      failures.push(...refused);
      const toStore = failures.slice(0, Math.max(0, maxStoredFailures - progress.failedCount));
      if (toStore.length > 0) await insertFailures(db, id, toStore);
      reportProgress({
        processedCount: progress.processedCount + passing.length + held + failures.length,
        failedCount: progress.failedCount + failures.length,
        heldCount: progress.heldCount + held,
        progress: Math.floor(readingPercent * share),
      });
      if (passing.length > 0) yield await sources.resolve(passing);
    }
  }
}

const initialProgress: ImportProgress = {
  progress: 0,
  processedCount: 0,
  failedCount: 0,
  heldCount: 0,
  totalCount: null,
  imported: 0,
  updated: 0,
  unchanged: 0,
  message: 'Reading the file',
};

/**
 * @param skipped rows that are not held again, because an admin rejected them earlier
 * @param unread columns with domains that are not read
 */
function formatSummary(
  { imported, updated, unchanged, failedCount, heldCount }: ImportProgress,
  skipped: number,
  unread: readonly string[],
): string {
  const count = (number: number) => number.toLocaleString('en-US');
  const sentence = (number: number, one: string, many: string) =>
    number === 0 ? [] : [number === 1 ? `1 row ${one}.` : `${count(number)} rows ${many}.`];
  return [
    `${count(imported)} imported, ${count(updated)} updated.`,
    ...(unchanged > 0 ? [`${count(unchanged)} unchanged.`] : []),
    ...sentence(failedCount, 'was rejected', 'were rejected'),
    ...sentence(heldCount, 'is held for review', 'are held for review'),
    ...(unread.length > 0 ? [`Not read, although it contains domains: ${formatUnread(unread)}.`] : []),
    ...sentence(skipped, 'was skipped because an admin rejected it', 'were skipped because an admin rejected them'),
  ].join(' ');
}

/** Columns that a message names. */
const maxNamedColumns = 20;

function formatUnread(columns: readonly string[]): string {
  const names = columns.slice(0, maxNamedColumns).map((name) => `“${name}”`);
  const more = columns.length - names.length;
  return [...names, ...(more > 0 ? [`and ${more.toLocaleString('en-US')} more`] : [])].join(', ');
}
