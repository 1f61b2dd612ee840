import { pipeline } from 'node:stream/promises';
import type { Context } from '../context.ts';
import { cancelOnAbort } from '../db/cancel-on-abort.ts';
import { inCopyTransaction } from '../db/copy.ts';
import { copyStaged, type MergeCounts, mergeStaged, openStaging } from '../domains/merge-staged.ts';
import { readInThread } from './read-in-thread.ts';
import type { ProgressReport } from './report-progress.ts';
import { completeImport } from './store.ts';
import { deleteFailures, insertFailures } from './store-failures.ts';

/** What the work needs of the process. */
export type ImportContext = Pick<Context, 'db' | 'pool' | 'files' | 'log' | 'now'>;

export interface Load {
  id: string;
  filePath: string;
  addedBy: string;
}

/** Reading takes about this share of an import, in percent. */
const readingShare = 30;

/**
 * Merges a file into the blacklist and marks its import completed, both in one transaction: whatever happens on the way,
 * nothing or everything stays. Failed rows are kept beside it. Throws UnreadableFile and what the database throws.
 */
export async function loadFile(
  context: ImportContext,
  { id, filePath, addedBy }: Load,
  report: ProgressReport,
  signal: AbortSignal,
): Promise<MergeCounts> {
  await deleteFailures(context.db, id);
  return inCopyTransaction(context.pool, async (trx, copyFrom) => {
    const release = await cancelOnAbort(context.db, trx, signal);
    try {
      await openStaging(trx);
      await pipeline(() => readRows(context, id, filePath, report, signal), copyFrom(copyStaged), { signal });
      const { processedCount, failedCount } = report.now;
      report.set({ totalCount: processedCount, progress: readingShare, message: 'Writing the domains.' });
      const counts = await mergeStaged(trx, {
        addedBy,
        now: context.now(),
        signal,
        onWait: () => report.set({ message: 'Waiting for another import to finish.' }),
        onProgress: (done, total, { imported, updated }) => {
          const progress = readingShare + Math.floor(((99 - readingShare) * done) / Math.max(1, total));
          report.set({ progress, imported, updated, message: 'Writing the domains.' });
        },
      });
      signal.throwIfAborted();
      await report.stop();
      const end = { ...report.now, ...counts, message: summaryOf(counts, failedCount) };
      if (!(await completeImport(trx, id, end, context.now()))) throw new Error(`The import ${id} has ended already.`);
      return counts;
    } finally {
      release();
    }
  });
}

/** Good rows for the staging table; failed ones are put aside as they come. */
async function* readRows(
  context: ImportContext,
  id: string,
  path: string,
  report: ProgressReport,
  signal: AbortSignal,
) {
  const { now } = report;
  for await (const { bytes, failures, rows, failed, share } of readInThread(path, signal)) {
    if (failures !== '') await insertFailures(context.db, id, failures);
    report.set({
      processedCount: now.processedCount + rows + failed,
      failedCount: now.failedCount + failed,
      progress: Math.floor(readingShare * share),
    });
    if (bytes.length > 0) yield bytes;
  }
}

function summaryOf({ imported, updated }: MergeCounts, failed: number): string {
  const count = (number: number) => number.toLocaleString('en');
  const rows = failed === 1 ? '1 row was refused.' : `${count(failed)} rows were refused.`;
  return `${count(imported)} imported, ${count(updated)} updated.${failed > 0 ? ` ${rows}` : ''}`;
}
