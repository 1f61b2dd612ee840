import { countUse } from '../accounts/throttle.ts';
import type { Context } from '../context.ts';
import { unauthorized } from '../http/errors.ts';
import { mailAdmins } from './mail-admins.ts';
import { insertUserMessage } from './store.ts';

/** Texts about domains that one account may send in an hour. */
const reportsPerHour = 30;

/**
 * Puts a user's text about a domain into the admin inbox, under the name and address of the account, and tells the admins.
 * Throws 429 after too many in an hour.
 * @returns the message's id
 */
export async function sendReport(
  context: Pick<Context, 'config' | 'db' | 'jobs' | 'log' | 'now'>,
  userId: number,
  domain: { id: number; name: string },
  message: string,
): Promise<number> {
  const sentence = 'You have sent many reports in the last hour. Please try again later.';
  await countUse(context.db, { key: `report:${userId}`, mostInAnHour: reportsPerHour, sentence }, context.now());
  const subject = `Incorrect information about ${domain.name}`;
  return await context.db.transaction().execute(async (trx) => {
    const kept = await insertUserMessage(trx, userId, { domainId: domain.id, subject, message, now: context.now() });
    if (!kept) throw unauthorized();
    await mailAdmins(context, trx, { ...kept, userId, subject, message });
    return kept.id;
  });
}
