import { accountEventTexts } from '#shared/accounts/account-events.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { pageLink, queueMail } from '../../platform/mail/mail.ts';
import { hasWebAddress } from '../../platform/mail/names.ts';
import { tryUse } from '../../platform/throttle/throttle.ts';
import { type DueEvent, takeDueEvents } from './store.ts';

type NoticeContext = Pick<Context, 'config' | 'db' | 'jobs' | 'log' | 'now'>;

/** Per account. Anyone who knows the password must not be able to flood the mailbox. */
export const maxNoticesPerHour = 20;
const maxEventsPerRun = 500;
const dayMs = 86_400_000;

/**
 * Emails account owners about events such as a new API key, in one email for all events since the last run. Only
 * confirmed addresses get emails. An event is taken and its email queued in one transaction.
 */
export async function sendDueNotices(context: NoticeContext): Promise<void> {
  const now = context.now();
  await context.db.transaction().execute(async (trx) => {
    const events = await takeDueEvents(trx, new Date(now.getTime() - dayMs), maxEventsPerRun);
    for (const [userId, own] of Map.groupBy(events, (event) => event.userId)) {
      await queueNotice(context, trx, { userId, email: own[0]?.email ?? '' }, own.map(describeEvent));
    }
  });
}

/** Queues an email about what happened to an account, unless it has had many in the last hour. */
export async function queueNotice(
  context: NoticeContext,
  trx: Db,
  { userId, email }: { userId: number; email: string },
  events: string[],
): Promise<void> {
  if (!context.config.mail) return;
  if (!(await tryUse(trx, { key: `notice:${userId}`, maxPerHour: maxNoticesPerHour }, context.now()))) return;
  const text = [
    'Hello,',
    '',
    'Recent activity in your Linksieve account:',
    '',
    ...events.map((event) => `- ${event}`),
    '',
    'If this was you, you can ignore this email. If not, reset your password, then revoke all other access:',
    '',
    pageLink(context.config, '/auth?tab=forgot'),
    '',
    'View all security activity of your account:',
    '',
    pageLink(context.config, '/account?tab=profile'),
  ].join('\n');
  const subject = 'Security notice for your Linksieve account';
  await queueMail(context, trx, [{ to: { address: email }, about: userId, subject, text }]);
}

/** Contains no text from the session, such as the name of a key: an attacker could send the owner a message with it. */
function describeEvent({ kind, address, device, at }: DueEvent): string {
  const what = accountEventTexts[kind] + (kind.startsWith('signed-in') ? ', in a new browser' : '');
  // A program chooses its own name.
  const where = hasWebAddress(device) ? 'unknown device' : device;
  return `${what} (${where}, IP address ${address}, ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC)`;
}
