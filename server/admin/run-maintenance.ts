import { rebuildCounts } from '../domains/domains.ts';
import type { ThreadContext } from '../jobs/run-in-thread.ts';
import { completeMaintenance, listTables, saveInitialSize, vacuumTable } from './store-maintenance.ts';

/** Share of a run's time that rebuilding the counts takes. Vacuuming the tables takes the rest. */
const rebuildPercent = 80;

/**
 * Rebuilds the counts of the blacklist, then vacuums the product's tables one by one. The site stays usable meanwhile.
 */
export async function runMaintenance(
  { db, pool, onProgress }: ThreadContext<{ progress: number; message: string }>,
  runId: number,
): Promise<void> {
  await saveInitialSize(db, runId);
  const onRebuildProgress = (share: number) =>
    onProgress({ progress: Math.floor(share * rebuildPercent), message: 'Rebuilding the counts' });
  onRebuildProgress(0);
  await rebuildCounts({ pool, onProgress: onRebuildProgress });
  const tables = await listTables(db);
  for (const [index, table] of tables.entries()) {
    onProgress({
      progress: rebuildPercent + Math.floor(((100 - rebuildPercent) * index) / tables.length),
      message: `Vacuuming ${table}, ${index + 1} of ${tables.length}`,
    });
    await vacuumTable(db, table);
  }
  await completeMaintenance(db, runId, `${tables.length} tables were vacuumed and the counts were rebuilt.`);
}
