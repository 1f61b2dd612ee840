import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { locks, tryLock } from '../../platform/db/locks.ts';
import type { RepeatedWork } from '../../platform/jobs/job.ts';
import { deleteHostsOfReport, deleteHostsOfWebsite } from '../watch/hosts.ts';
import { removeDeletedWebsite } from '../websites/queries.ts';
import { lockUncounted, storeCounts } from './store-counts.ts';
import {
  deleteRowsOfReport,
  findDeletedReport,
  findDeletedWebsite,
  forgetDeletedReport,
  forgetDeletedWebsite,
  type TableOfReport,
} from './store-deleted.ts';
import { updateStoredBytes } from './store-new-report.ts';

export const repeatedPurge: RepeatedWork = {
  name: 'deleting the rows of deleted reports',
  everySeconds: 5,
  run: (context, signal) => purgeDeletedRows(context, signal),
};

/** Counts the domains of reports that an earlier version of Linksieve made, newest first. */
export const repeatedCounting: RepeatedWork = {
  name: 'counting the domains of older reports',
  everySeconds: 10,
  async run({ db }, signal) {
    const countOne = () =>
      db.transaction().execute(async (trx) => {
        const id = await lockUncounted(trx);
        if (id === undefined) return false;
        await storeCounts(trx, id);
        await updateStoredBytes(trx, id);
        return true;
      });
    while (!signal.aborted && (await countOne()));
  },
};

/** How long a deleted report or website can be restored. */
export const undoMs = 60_000;

/** Each batch is a transaction of well under a second. A block of links has up to 32 kB of text. */
const rowsPerBatch: readonly (readonly [TableOfReport, number])[] = [
  ['report_links', 1000],
  ['report_domains', 10_000],
  ['live_pages', 10_000],
  ['live_domains', 10_000],
  ['link_checks', 10_000],
];

/**
 * Deletes the rows of deleted reports and websites in the large tables, in small transactions, until none is left. A
 * request only deletes the row of the report or website itself, with which the others disappear for the user.
 */
export async function purgeDeletedRows({ db, now }: Pick<Context, 'db' | 'now'>, signal: AbortSignal): Promise<void> {
  const before = new Date(now().getTime() - undoMs);
  while (!signal.aborted && (await db.transaction().execute((trx) => purgeBatch(trx, before))));
}

/** @returns false if nothing is left, or another process is deleting */
async function purgeBatch(trx: Db, before: Date): Promise<boolean> {
  if (!(await tryLock(trx, locks.purge))) return false;
  if (await removeDeletedWebsite(trx, before)) return true;
  const websiteId = await findDeletedWebsite(trx);
  if (websiteId !== undefined) {
    if (await deleteHostsOfWebsite(trx, websiteId)) await forgetDeletedWebsite(trx, websiteId);
    return true;
  }
  const report = await findDeletedReport(trx, before);
  if (!report) return false;
  for (const [table, limit] of rowsPerBatch) {
    const deleted = await deleteRowsOfReport(trx, table, report.reportId, limit);
    if (deleted === limit) return true;
  }
  await deleteHostsOfReport(trx, report);
  await forgetDeletedReport(trx, report.reportId);
  return true;
}
