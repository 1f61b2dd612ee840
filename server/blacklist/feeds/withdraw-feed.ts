import { locks, takeLock } from '../../platform/db/locks.ts';
import { completeRun } from '../../platform/jobs/runs.ts';
import type { ProcessContext } from '../../platform/processes/run-in-process.ts';
import { withdrawFromSource } from '../domains/domains.ts';
import type { RefreshProgress } from './refresh-feed.ts';
import { addWithdrawn, countNames, deleteHeldOf, deleteNames, findWithdrawal, listNames } from './store.ts';

const batchNames = 5000;

/**
 * Withdraws the listings of a deleted feed in batches that are committed one by one. A run that was interrupted
 * continues after its last batch. Runs in a process of its own.
 */
export async function withdrawFeed(
  { db, onProgress }: ProcessContext<RefreshProgress>,
  { runId, now }: { runId: number; now: Date },
): Promise<void> {
  const feed = await findWithdrawal(db, runId);
  if (!feed) return;
  const { id, sourceId } = feed;
  if (sourceId === null) throw new Error(`The feed ${id} has no source.`);
  const total = await countNames(db, id);
  let done = 0;
  let isDone = false;
  while (!isDone) {
    const progress = Math.floor((100 * done) / Math.max(1, total));
    onProgress({ progress, message: 'Withdrawing listings' });
    isDone = await db.transaction().execute(async (trx) => {
      await takeLock(trx, locks.merge, () => onProgress({ progress, message: 'Waiting for another list or import' }));
      const names = await listNames(trx, id, batchNames);
      if (names.length > 0) {
        await addWithdrawn(trx, runId, await withdrawFromSource(trx, sourceId, names, now));
        await deleteNames(trx, id, names);
        done += names.length;
        return false;
      }
      await deleteHeldOf(trx, sourceId);
      await completeRun(trx, 'feed_runs', runId, { message: '' });
      return true;
    });
  }
}
