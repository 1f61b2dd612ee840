import { getBlacklistStats, rebuildCounts } from '../../blacklist/domains/domains.ts';
import { holdProtected } from '../../blacklist/held/held.ts';
import type { Db } from '../../platform/db/database.ts';
import type { ProcessContext } from '../../platform/processes/run-in-process.ts';
import { completeMaintenance, findRunStarter, listTables, saveInitialSize, vacuumTable } from './store-maintenance.ts';

/** When each part of a run ends, in percent of its time. Vacuuming the tables takes the rest. */
const holdPercent = 20;
const rebuildPercent = 80;

type RunContext = ProcessContext<{ progress: number; message: string }>;

/**
 * Moves listings of protected sites to the review queue, rebuilds the counts of the blacklist, then vacuums the
 * product's tables one by one. The site stays usable meanwhile.
 */
export async function runMaintenance(context: RunContext, runId: number): Promise<void> {
  const { db, pool, onProgress } = context;
  await saveInitialSize(db, runId);
  const held = await holdProtectedSites(context, runId);
  const onRebuildProgress = (share: number) =>
    onProgress({
      progress: holdPercent + Math.floor(share * (rebuildPercent - holdPercent)),
      message: 'Rebuilding the counts',
    });
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
  const moved = held === 1 ? '1 protected site was' : `${held} protected sites were`;
  await completeMaintenance(
    db,
    runId,
    `${tables.length} tables were vacuumed and the counts were rebuilt.` +
      (held > 0 ? ` ${moved} moved from the blacklist to the review queue.` : ''),
  );
}

/** @returns how many domains were moved to the review queue */
async function holdProtectedSites({ db, onProgress }: RunContext, runId: number): Promise<number> {
  const { total } = await getBlacklistStats(db);
  let progress = 0;
  const context = {
    db,
    inTransaction: (change: (trx: Db) => Promise<number>) => db.transaction().execute(change),
    now: () => new Date(),
    onPage(checked: number) {
      progress = Math.min(holdPercent, Math.floor((checked / Math.max(total, 1)) * holdPercent));
      onProgress({ progress, message: 'Looking for protected sites' });
    },
    onWait: () => onProgress({ progress, message: 'Waiting for an import to finish' }),
  };
  return await holdProtected(context, await findRunStarter(db, runId));
}
