import type { Trx } from '../../platform/db/database.ts';
import { locks, takeLock } from '../../platform/db/locks.ts';
import type { ProcessContext } from '../../platform/processes/run-in-process.ts';
import { lockDomains, refreshDomains } from './queries.ts';
import { moveListings } from './store-refresh.ts';
import {
  type AffectedDomain,
  completeSourceRun,
  findMaxDomainId,
  findRun,
  hasListings,
  hasOldName,
  readDomainsOf,
  readListingsOf,
  saveBatch,
} from './store-runs.ts';
import { countDomainsOf, deleteMergedSource, listSourceNames, lockMergedSource } from './store-sources.ts';

/** What a run does in its batches, and at its end. */
interface RunWork {
  /** Yields the domains to update. Called again if some are left at the end. */
  readBatches(): AsyncGenerator<AffectedDomain[]>;
  updateBatch(trx: Trx, names: string[]): Promise<void>;
  /** @returns 0 to 1 */
  getShare(doneCount: number, lastId: number): number;
  /** Whether no domain is left. */
  isDone(trx: Trx): Promise<boolean>;
  finish(trx: Trx): Promise<void>;
}

type RunContext = ProcessContext<{ progress: number; message: string }>;
type RunRow = NonNullable<Awaited<ReturnType<typeof findRun>>>;

/**
 * Updates the domains of changed sources in batches. Imports and edits continue between two batches. A run that was
 * interrupted continues after its last batch.
 */
export async function updateDomainsOfSources(context: RunContext, runId: number): Promise<void> {
  const { db, onProgress } = context;
  let now = { progress: 0, message: 'Looking for the domains' };
  const report = (next: typeof now) => {
    now = next;
    onProgress(now);
  };
  report(now);
  /** Runs a transaction that no import's merge interleaves with. */
  const withMergeLock = <Result>(act: (trx: Trx) => Promise<Result>) =>
    db.transaction().execute(async (trx) => {
      await takeLock(trx, locks.merge, () => onProgress({ ...now, message: 'Waiting for an import to finish' }));
      onProgress(now);
      return act(trx);
    });
  // An import that started before the change may still write what it read about the sources then.
  const run = await withMergeLock((trx) => findRun(trx, runId));
  if (!run) return;
  const work = run.intoId === null ? await planRefresh(context, run) : await planMerge(context, run, run.intoId);
  let { doneCount } = run;
  let isComplete = false;
  while (!isComplete) {
    for await (const batch of work.readBatches()) {
      const lastId = batch.at(-1)?.id ?? 0;
      await withMergeLock(async (trx) => {
        await work.updateBatch(
          trx,
          batch.map(({ name }) => name),
        );
        await saveBatch(trx, runId, lastId, batch.length);
      });
      doneCount += batch.length;
      const progress = Math.min(99, Math.floor(100 * work.getShare(doneCount, lastId)));
      report({ progress, message: `${countText(doneCount)} checked` });
    }
    isComplete = await withMergeLock(async (trx) => {
      if (!(await work.isDone(trx))) return false;
      await work.finish(trx);
      await completeSourceRun(trx, runId, `${countText(doneCount)} checked`);
      return true;
    });
  }
}

/** A new name, kind or family: computes what the domains store about their listings. */
async function planRefresh({ db, pool }: RunContext, run: RunRow): Promise<RunWork> {
  const { oldName, onlyShared } = run;
  const [sourceId = 0] = run.sourceIds;
  const maxId = await findMaxDomainId(db);
  let afterId = run.lastId;
  return {
    async *readBatches() {
      const names = [...(await listSourceNames(db, run.sourceIds)), ...(oldName === null ? [] : [oldName])];
      yield* readDomainsOf(pool, names, { afterId, onlyShared });
      afterId = 0;
    },
    updateBatch: (trx, names) =>
      refreshDomains(trx, names, new Date(), { replaced: oldName === null ? undefined : { from: oldName, sourceId } }),
    getShare: (_, lastId) => (maxId === 0 ? 1 : lastId / maxId),
    isDone: async (trx) => oldName === null || !(await hasOldName(trx, oldName, sourceId)),
    finish: async () => undefined,
  };
}

/** Moves the listings of one source to another, and deletes it. */
async function planMerge({ db, pool }: RunContext, run: RunRow, intoId: number): Promise<RunWork> {
  const [fromId = 0] = run.sourceIds;
  const from = run.oldName ?? '';
  const total = run.doneCount + (await countDomainsOf(db, from));
  return {
    readBatches: () => readListingsOf(pool, fromId),
    async updateBatch(trx, names) {
      await lockDomains(trx, names);
      await moveListings(trx, names, fromId, intoId);
      await refreshDomains(trx, names, new Date(), { replaced: { from, sourceId: intoId } });
    },
    getShare: (doneCount) => (total === 0 ? 1 : doneCount / total),
    async isDone(trx) {
      // A form that has read the source may still write its listing.
      await lockMergedSource(trx, fromId);
      return !(await hasListings(trx, fromId));
    },
    finish: (trx) => deleteMergedSource(trx, fromId, intoId),
  };
}

const countText = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'domain was' : 'domains were'}`;
