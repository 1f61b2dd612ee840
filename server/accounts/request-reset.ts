import type { ResetRequest } from '#shared/password-resets.ts';
import type { Context } from '../context.ts';
import { unavailable } from '../http/errors.ts';
import { countUse } from '../throttle/throttle.ts';
import { resetLinkQueue } from './jobs.ts';

const sentence = 'Too many new passwords were asked for. Please try again later.';

/**
 * Has a link mailed to the account of an address. Whether there is one is looked up later, by the job: neither the answer nor
 * its time tells. Throws 429 after twenty from one place or five for one mailbox in an hour, 503 where no mail is sent.
 */
export async function requestReset(
  { config, db, jobs, now }: Pick<Context, 'config' | 'db' | 'jobs' | 'now'>,
  { email }: ResetRequest,
  address: string,
): Promise<void> {
  if (!config.mail) throw unavailable('This server sends no mail. Please ask an admin for a link to a new password.');
  const mailbox = email.toLowerCase();
  await countUse(db, { key: `reset:${address}`, mostInAnHour: 20, sentence }, now());
  await countUse(db, { key: `reset-for:${mailbox}`, mostInAnHour: 5, sentence }, now());
  await jobs.send(resetLinkQueue.name, { email: mailbox });
}
