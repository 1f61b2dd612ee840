import { job } from '../jobs/job.ts';
import { deleteExpiredSessions } from '../sessions/sessions.ts';
import { deleteExpiredUses } from '../throttle/throttle.ts';
import { resetLinkQueue, sendResetLink } from './set-password.ts';
import { deleteExpiredResets } from './store-resets.ts';

export const resetLinkJob = job<{ email: string }>({ queue: resetLinkQueue, run: sendResetLink });

/** Deletes expired sessions, expired reset links and recorded uses that are too old for any hourly limit. */
export const deleteExpiredSignInDataJob = job<object>({
  queue: { name: 'tidy-accounts', retryLimit: 0 },
  cron: '43 * * * *',
  run: async ({ db, now }) => {
    await deleteExpiredSessions(db, now());
    await deleteExpiredResets(db, now());
    await deleteExpiredUses(db, now());
  },
});
