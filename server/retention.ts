import { sql } from 'kysely';
import { accountEventRetention } from './accounts/account-events/jobs.ts';
import { signInRetention } from './accounts/accounts/store-retention.ts';
import { deliveryRetention } from './accounts/webhooks/store-retention.ts';
import { feedRunRetention } from './blacklist/feeds/jobs.ts';
import { listRetention } from './checks/domain-lists/store-retention.ts';
import { job } from './platform/jobs/job.ts';
import { daysBefore, deleteExpiredRows, type Retention, recordDays, runRetention } from './platform/jobs/retention.ts';
import { sharedLimitRetention } from './platform/throttle/store-retention.ts';
import { alertRetention } from './reports/alerts/store-retention.ts';
import { shareRetention } from './reports/reports/store-retention.ts';
import { watchRetention } from './reports/watch/store-retention.ts';

/** How long messages, rejected submissions and refused appeals are kept. */
const messageDays = 2 * 365;
/** How long an appeal waits for its proof. */
const unverifiedDays = 90;

/** Every table whose rows expire. retention.test.ts lists the other tables, with the reason. */
export const retentions: Retention[] = [
  ...signInRetention,
  accountEventRetention,
  alertRetention,
  listRetention,
  feedRunRetention,
  shareRetention,
  sharedLimitRetention,
  ...watchRetention,
  deliveryRetention,
  runRetention('imports'),
  runRetention('analyses'),
  runRetention('source_runs'),
  runRetention('maintenance_runs'),
  runRetention('backup_runs'),
  { table: 'messages', expired: (now) => sql`created_at < ${daysBefore(now, messageDays)}` },
  // Approved submissions and successful appeals stay as the record of a listing.
  { table: 'submissions', expired: (now) => sql`status = 'rejected' and decided_at < ${daysBefore(now, messageDays)}` },
  {
    // A published statement stays on the page of its domain.
    table: 'appeals',
    expired: (now) => sql`(state = 'kept' and decided_at < ${daysBefore(now, messageDays)} and published_at is null)
      or (state = 'unverified' and created_at < ${daysBefore(now, unverifiedDays)})`,
  },
  {
    table: 'newsletter_subscriptions',
    expired: (now) => sql`unsubscribed_at < ${daysBefore(now, recordDays)}`,
  },
];

/** Deletes expired rows. Runs hourly, because for some tables nothing else limits the number of rows. */
export const retentionJob = job<object>({
  queue: { name: 'retention', retryLimit: 0 },
  cron: '43 * * * *',
  run: (context, _data, signal) => deleteExpiredRows(context, retentions, signal),
});
