import { job } from '../jobs/job.ts';
import { deleteExpiredSessions } from '../sessions/sessions.ts';
import { deleteExpiredUses } from '../throttle/throttle.ts';
import { type ConfirmationJob, confirmationEmailQueue, sendConfirmationEmail } from './confirmation-email.ts';
import { resetLinkQueue, sendResetLink } from './set-password.ts';
import { deleteExpiredEmailChanges } from './store-email-changes.ts';
import { deleteExpiredResets } from './store-resets.ts';

export const resetLinkJob = job<{ email: string }>({ queue: resetLinkQueue, run: sendResetLink });

export const confirmationEmailJob = job<ConfirmationJob>({
  queue: confirmationEmailQueue,
  run: sendConfirmationEmail,
});

export const deleteExpiredEmailChangesJob = job<object>({
  queue: { name: 'delete-email-changes', retryLimit: 0 },
  cron: '47 * * * *',
  run: ({ db, now }) => deleteExpiredEmailChanges(db, now()),
});

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
