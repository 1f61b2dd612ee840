import type { RepeatedWork } from '../../platform/jobs/job.ts';
import { purgeDeletedRows } from './purge.ts';
import { lockUncounted, storeCounts } from './store-counts.ts';
import { updateStoredBytes } from './store-new-report.ts';

export const repeatedPurge: RepeatedWork = {
  name: 'deleting the rows of deleted reports',
  everySeconds: 5,
  run: ({ db }, signal) => purgeDeletedRows(db, signal),
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
