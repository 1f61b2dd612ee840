import { job } from '../job.ts';
import { endOldSessions } from '../sessions/sessions.ts';
import { forgetOldUses } from '../throttle/throttle.ts';
import { mailResetLink } from './mail-reset-link.ts';
import { deleteOldResets } from './store-resets.ts';

/** A link that comes much later is not waited for any more: while the mail server is away it is tried again for half an hour. */
export const resetLinkQueue = {
  name: 'mail-reset-link',
  retryLimit: 10,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 300,
  expireInSeconds: 120,
  // Somebody's address, which may be nobody's account.
  deleteAfterSeconds: 3600,
};

export const resetLinkJob = job<{ email: string }>({ queue: resetLinkQueue, run: mailResetLink });

/** Sessions and links that are over and counts that have run out would pile up for ever. */
export const tidyAccountsJob = job<object>({
  queue: { name: 'tidy-accounts', retryLimit: 0 },
  cron: '43 * * * *',
  run: async ({ db, now }) => {
    await endOldSessions(db, now());
    await deleteOldResets(db, now());
    await forgetOldUses(db, now());
  },
});
