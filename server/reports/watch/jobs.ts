import type { RepeatedWork } from '../../platform/jobs/job.ts';
import type { matchChanges } from './match-changes.ts';
import { findUnmatchedAges } from './store-matching.ts';

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
    // The changes wait until the disk has space for their alerts.
    if ((await context.files.readSpace()).spareBytes < 0) return;
    const entry = { module: new URL('./match-changes.ts', import.meta.url), name: 'matchChanges' };
    await context.runWork<typeof matchChanges>(context, entry, { now: context.now() }, { signal });
  },
};
