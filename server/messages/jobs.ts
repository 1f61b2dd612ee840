import { job } from '../job.ts';
import { markReplyLost } from './store.ts';

export const replyLostQueue = { name: 'message-reply-lost' };

/** The mail of a reply was given up: whoever opens the message sees it. */
export const replyLostJob = job<{ replyId: number }>({
  queue: replyLostQueue,
  run: ({ db, now }, { replyId }) => db.transaction().execute((trx) => markReplyLost(trx, replyId, now())),
});
