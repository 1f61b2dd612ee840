import type { Context } from '../context.ts';
import { job } from '../jobs/job.ts';
import { runInThread } from '../jobs/run-in-thread.ts';
import type { matchChanges } from './match-changes.ts';
import { deleteOldChanges, findUnmatchedAges } from './store-matching.ts';

/** Changes are matched together once none has followed for a while, so that a series of edits is one run. */
const quietSeconds = 5;
/** Changes that never end are matched after this long. */
const maxWaitSeconds = 60;

/** Compares changes of the blacklist with the hosts of websites. */
export const matchingJob = job<object>({
  queue: { name: 'match-changes' },
  everySeconds: 2,
  async run(context, _data, signal) {
    const ages = await findUnmatchedAges(context.db);
    if (!ages || (ages.last < quietSeconds && ages.first < maxWaitSeconds)) return;
    await runMatching(context, signal);
  },
});

/** Matches all changes now, in a thread. @returns the number of alerts */
export async function runMatching(
  context: Pick<Context, 'pool' | 'databaseUrl' | 'now'>,
  signal: AbortSignal,
): Promise<number> {
  const entry = { module: new URL('./match-changes.ts', import.meta.url), name: 'matchChanges' };
  return await runInThread<typeof matchChanges>(context, entry, { now: context.now() }, { signal });
}

export const deleteOldChangesJob = job<object>({
  queue: { name: 'delete-matched-changes', retryLimit: 0 },
  cron: '47 * * * *',
  run: ({ db }) => deleteOldChanges(db),
});
