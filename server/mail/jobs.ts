import { job } from '../job.ts';
import { deliverLetter, type MailTask } from './deliver-letter.ts';

// A letter is somebody's words: it is kept no longer than finding a fault takes.
const deleteAfterSeconds = 24 * 3600;

const givenUpQueue = { name: 'mail-given-up', deleteAfterSeconds };

/** While the mail server is away a letter is tried again after seconds, then minutes, then every hour: for about a day. */
export const mailQueue = {
  name: 'mail',
  retryLimit: 30,
  retryDelay: 10,
  retryBackoff: true,
  retryDelayMax: 3600,
  expireInSeconds: 120,
  deadLetter: givenUpQueue.name,
  deleteAfterSeconds,
};

export const mailJob = job<MailTask>({ queue: mailQueue, run: deliverLetter });

/** Where a letter ends that was refused, or could not be sent in a day. Who asked to hear of it does. */
export const mailGivenUpJob = job<MailTask>({
  queue: givenUpQueue,
  run: async ({ log, jobs }, { messageId, ifLost }) => {
    if (ifLost) await jobs.send(ifLost.queue, ifLost.data);
    log.error({ messageId }, 'a mail was given up: the mail server refused it, or took none for a day');
  },
});
