import type { Topic } from '../../topic.ts';
import { mailDeadLetterJob, mailJob } from './jobs.ts';
import { deleteQueuedMail } from './store.ts';

export const mailTopic: Topic = {
  jobs: [mailDeadLetterJob, mailJob],
  personalData: {
    erase: ({ db }, { id, email }) => deleteQueuedMail(db, { userId: id, address: email }),
  },
};
