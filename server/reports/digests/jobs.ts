import { job } from '../../platform/jobs/job.ts';
import { sendDigests } from './digests.ts';
import { sendReminders } from './reminders.ts';
import { type Refusal, refusedQueue } from './send.ts';
import { pauseMail } from './store.ts';

export const digestJob = job<object>({
  queue: { name: 'send-digests' },
  cron: '2 * * * *',
  run: async (context, _data, signal) => {
    await sendDigests(context, signal);
  },
});

export const reminderJob = job<object>({
  queue: { name: 'send-reminders' },
  cron: '12 7 * * *',
  run: async (context, _data, signal) => {
    await sendReminders(context, signal);
  },
});

/** Pauses the digests of an account whose address the mail server refused. */
export const refusedMailJob = job<Refusal>({
  queue: refusedQueue,
  run: ({ db, now }, { about, email }) => pauseMail(db, about, email, now()),
});
