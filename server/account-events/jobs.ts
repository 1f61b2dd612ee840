import type { RepeatedWork } from '../jobs/job.ts';
import type { Retention } from '../jobs/retention.ts';
import { deleteOldAccountEvents } from './account-events.ts';
import { sendDueNotices } from './notices.ts';

/** Hourly, an account keeps a limited number of events, so that requests that cause events cannot fill the disk. */
export const accountEventRetention: Retention = {
  table: 'account_events',
  expired: { delete: deleteOldAccountEvents },
};

export const repeatedNotices: RepeatedWork = { name: 'security notices', everySeconds: 2, run: sendDueNotices };
