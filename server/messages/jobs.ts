import { job } from '../jobs/job.ts';
import { replyLostQueue } from './messages.ts';
import { markReplyLost } from './store.ts';

/** Marks a reply whose email could not be delivered: the inbox shows it. */
export const replyLostJob = job<{ replyId: number }>({
  queue: replyLostQueue,
  run: ({ db, now }, { replyId }) => db.transaction().execute((trx) => markReplyLost(trx, replyId, now())),
});
