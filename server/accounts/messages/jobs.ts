import { job } from '../../platform/jobs/job.ts';
import { failedReplyQueue } from './messages.ts';
import { markReplyFailed } from './store.ts';

/** Marks a reply whose email could not be delivered, so that the inbox shows it. */
export const failedReplyJob = job<{ replyId: number }>({
  queue: failedReplyQueue,
  run: ({ db, now }, { replyId }) => db.transaction().execute((trx) => markReplyFailed(trx, replyId, now())),
});
