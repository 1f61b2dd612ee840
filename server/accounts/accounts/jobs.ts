import { job } from '../../platform/jobs/job.ts';
import { type ConfirmationJob, confirmationEmailQueue, sendConfirmationEmail } from './confirmation-email.ts';
import { resetLinkQueue, sendResetLink } from './set-password.ts';

export const resetLinkJob = job<{ email: string }>({ queue: resetLinkQueue, run: sendResetLink });

export const confirmationEmailJob = job<ConfirmationJob>({
  queue: confirmationEmailQueue,
  run: sendConfirmationEmail,
});
