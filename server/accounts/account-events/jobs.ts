import type { RepeatedWork } from '../../platform/jobs/job.ts';
import type { Retention } from '../../platform/jobs/retention.ts';
import { deleteOldAccountEvents } from './account-events.ts';
import { sendDueNotices } from './notices.ts';

/** Also limits the number of events per account, so that requests cannot fill the disk with them. */
export const accountEventRetention: Retention = {
  table: 'account_events',
  expired: { delete: deleteOldAccountEvents },
};

export const repeatedNotices: RepeatedWork = { name: 'security notices', everySeconds: 2, run: sendDueNotices };
