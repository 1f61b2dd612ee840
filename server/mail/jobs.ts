import { job } from '../jobs/job.ts';
import { deliverEmail, mailDeadLetterQueue, mailQueue, type QueuedEmail } from './mail.ts';

export const mailJob = job<QueuedEmail>({ queue: mailQueue, run: deliverEmail });

/** Receives emails that were refused for good or could not be sent within a day, and starts the job that the sender asked for. */
export const mailDeadLetterJob = job<QueuedEmail>({
  queue: mailDeadLetterQueue,
  run: async ({ log, jobs }, { messageId, ifLost }) => {
    if (ifLost) await jobs.send(ifLost.queue, ifLost.data);
    log.error({ messageId }, 'a mail was given up: the mail server refused it, or took none for a day');
  },
});
