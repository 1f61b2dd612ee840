import { rebuildCounts } from '../domains/domains.ts';
import type { ThreadContext } from '../jobs/run-in-thread.ts';
import { completeMaintenance, listTables, saveInitialSize, vacuumTable } from './store-maintenance.ts';

/** Of the time that a run takes: the tables are vacuumed after it. */
const countingPercent = 80;

/** Rebuilds the counts of the blacklist and vacuums every table of the product, one by one. Everyone can keep working meanwhile. */
export async function runMaintenance(
  { db, pool, onProgress }: ThreadContext<{ progress: number; message: string }>,
  runId: number,
): Promise<void> {
  await saveInitialSize(db, runId);
  const counting = (share: number) =>
    onProgress({ progress: Math.floor(share * countingPercent), message: 'Rebuilding the counts' });
  counting(0);
  await rebuildCounts({ pool, onProgress: counting });
  const tables = await listTables(db);
  for (const [index, table] of tables.entries()) {
    onProgress({
      progress: countingPercent + Math.floor(((100 - countingPercent) * index) / tables.length),
      message: `Tidying ${table}, ${index + 1} of ${tables.length}`,
    });
    await vacuumTable(db, table);
  }
  await completeMaintenance(db, runId, `${tables.length} tables were vacuumed and the counts were rebuilt.`);
}
