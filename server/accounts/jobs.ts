import { job } from '../jobs/job.ts';
import { endOldSessions } from '../sessions/sessions.ts';
import { forgetOldUses } from '../throttle/throttle.ts';
import { mailResetLink, resetLinkQueue } from './set-password.ts';
import { deleteOldResets } from './store-resets.ts';

export const resetLinkJob = job<{ email: string }>({ queue: resetLinkQueue, run: mailResetLink });

/** Deletes expired sessions, reset links and counts. */
export const tidyAccountsJob = job<object>({
  queue: { name: 'tidy-accounts', retryLimit: 0 },
  cron: '43 * * * *',
  run: async ({ db, now }) => {
    await endOldSessions(db, now());
    await deleteOldResets(db, now());
    await forgetOldUses(db, now());
  },
});
