import type { RepeatedWork } from '../jobs/job.ts';
import { deleteExpiredUploads } from './interrupted.ts';

/** Interrupted uploads no longer count toward an account once they are expired, so their files must go soon. */
export const repeatedExpiry: RepeatedWork = {
  name: 'expired uploads',
  everySeconds: 60,
  run: deleteExpiredUploads,
};
