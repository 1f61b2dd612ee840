import type { RepeatedWork } from '../../platform/jobs/job.ts';
import { moveHosts } from './hosts.ts';
import type { matchChanges } from './match-changes.ts';
import { findUnmatchedAges } from './store-matching.ts';
import { findWebsite } from './store-unmoved.ts';

/** Changes are matched together once none has followed for a while, so that a series of edits is one run. */
const quietSeconds = 5;
/** Changes that never end are matched after this long. */
const maxWaitSeconds = 60;

/** Compares changes of the blacklist with the hosts of websites. */
export const repeatedMatching: RepeatedWork = {
  name: 'matching',
  everySeconds: 2,
  async run(context, signal) {
    const ages = await findUnmatchedAges(context.db);
    if (!ages || (ages.last < quietSeconds && ages.first < maxWaitSeconds)) return;
    // The hosts of all websites are in blocks first, so that none misses an alert.
    if ((await findWebsite(context.db)) !== undefined) return;
    // The changes wait until the disk has space for their alerts.
    if ((await context.files.readSpace()).spareBytes < 0) return;
    const entry = { module: new URL('./match-changes.ts', import.meta.url), name: 'matchChanges' };
    await context.runWork<typeof matchChanges>(context, entry, { now: context.now() }, { signal });
  },
};

/** Moves the hosts of websites that an earlier version of Linksieve stored into blocks, a website in a transaction. */
export const repeatedMoving: RepeatedWork = {
  name: 'moving the hosts of websites into blocks',
  everySeconds: 10,
  async run({ db }, signal) {
    let websiteId = await findWebsite(db);
    while (websiteId !== undefined && !signal.aborted) {
      const id = websiteId;
      await db.transaction().execute((trx) => moveHosts(trx, id));
      websiteId = await findWebsite(db, id);
    }
  },
};
