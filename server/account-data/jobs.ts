import { job } from '../jobs/job.ts';
import { confirmationEmailQueue, sendConfirmationEmail } from './change-email.ts';
import { deleteExpiredEmailChanges } from './store.ts';

export const confirmationEmailJob = job<{ about: number }>({
  queue: confirmationEmailQueue,
  run: sendConfirmationEmail,
});

export const deleteExpiredEmailChangesJob = job<object>({
  queue: { name: 'delete-email-changes', retryLimit: 0 },
  cron: '47 * * * *',
  run: ({ db, now }) => deleteExpiredEmailChanges(db, now()),
});
