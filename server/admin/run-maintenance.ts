import type { Context } from '../context.ts';
import { cancelOnAbort } from '../db/cancel-on-abort.ts';
import { isTransientDbError } from '../db/transient-error.ts';
import type { rebuildCounts } from '../domains/rebuild-counts.ts';
import { runInThread } from '../jobs/run-in-thread.ts';
import { beginRun, endRun, giveBackRun, listTables, updateRun, vacuumTable } from './store-maintenance.ts';

/** Starts that may end without a word (a killed process) before a run is given up. */
const mostAttempts = 4;

/** Of the time that a run takes: the tables are tidied after it. */
const countingPercent = 80;

/**
 * Tidies every table of the product, one by one, and counts the blacklist anew. Everybody can go on working meanwhile. Safe to
 * run twice; throws to be run again when the process stops or the database is away for a moment.
 */
export async function runMaintenance(context: Context, id: number, signal: AbortSignal): Promise<void> {
  const { db, log } = context;
  const run = await beginRun(db, id);
  if (!run) return;
  try {
    if (run.attempts > mostAttempts) throw new Error(`Maintenance was started ${mostAttempts} times and never ended.`);
    const tables = await listTables(db);
    const counting = (share: number) =>
      updateRun(db, id, Math.floor(share * countingPercent), 'Counting the blacklist anew');
    await counting(0);
    const rebuild = { module: new URL('../domains/rebuild-counts.ts', import.meta.url), name: 'rebuildCounts' };
    await runInThread<typeof rebuildCounts>(context, rebuild, undefined, {
      signal,
      onProgress: (share) => void counting(share),
    });
    for (const [index, table] of tables.entries()) {
      signal.throwIfAborted();
      await updateRun(
        db,
        id,
        countingPercent + Math.floor(((100 - countingPercent) * index) / tables.length),
        `Tidying ${table}, ${index + 1} of ${tables.length}`,
      );
      await tidyTable(db, table, signal);
    }
    await endRun(db, id, 'completed', `${tables.length} tables were tidied and the blacklist was counted anew.`);
  } catch (error) {
    if (signal.aborted) {
      await giveBackRun(db, id);
      throw error;
    }
    if (isTransientDbError(error)) throw error;
    log.error({ err: error, id }, 'maintenance failed');
    await endRun(db, id, 'failed', 'Something went wrong on our side. Nothing was lost. Please try again.');
  }
}

/** On one connection, so that a stopping process can call the statement off. */
async function tidyTable(db: Context['db'], table: string, signal: AbortSignal): Promise<void> {
  await db.connection().execute(async (connection) => {
    const unwatch = await cancelOnAbort(db, connection, signal);
    await vacuumTable(connection, table).finally(unwatch);
  });
}
