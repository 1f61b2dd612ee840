import { job } from '../job.ts';
import { endOldSessions } from './sessions.ts';
import { forgetOldFailures } from './throttle.ts';

/** Sessions that are over and counts that have run out would pile up for ever. */
export const tidyAccountsJob = job<object>({
  queue: { name: 'tidy-accounts', retryLimit: 0 },
  cron: '43 * * * *',
  run: async ({ db, now }) => {
    await endOldSessions(db, now());
    await forgetOldFailures(db, now());
  },
});
