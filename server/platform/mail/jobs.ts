import { job } from '../jobs/job.ts';
import { deliverEmail, mailDeadLetterQueue, mailQueue, type QueuedEmail, RecipientRefusedError } from './mail.ts';

export const mailJob = job<QueuedEmail>({
  queue: mailQueue,
  async run(context, email, signal) {
    try {
      await deliverEmail(context, email, signal);
    } catch (error) {
      const { ifRefused } = email;
      // Sent before this job ends: if the process dies in between, the next attempt is refused again.
      if (ifRefused && error instanceof RecipientRefusedError) await context.jobs.send(ifRefused.queue, ifRefused.data);
      throw error;
    }
  },
});

/**
 * The dead letter queue: receives emails that failed permanently or could not be sent within a day, and sends their
 * `ifLost` job.
 */
export const mailDeadLetterJob = job<QueuedEmail>({
  queue: mailDeadLetterQueue,
  run: async ({ log, jobs }, { messageId, ifLost }) => {
    if (ifLost) await jobs.send(ifLost.queue, ifLost.data);
    log.error({ messageId }, 'email not delivered: the mail server refused it, or was unavailable for a day');
  },
});
