import { countOf } from '#shared/reports/alert-texts.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { type Email, isMailbox, pageLink, queueMail } from '../../platform/mail/mail.ts';
import { toMailName } from '../../platform/mail/names.ts';
import { type Block, renderEmail } from './email-layout.ts';
import { lockRecipient, type Recipient } from './store.ts';
import { toUnsubscribePath } from './unsubscribe.ts';

export type MailContext = Pick<Context, 'config' | 'db' | 'jobs' | 'log' | 'now' | 'secretKey'>;

/** What an email says. */
export interface Content {
  subject: string;
  body: Block[];
  /** Why the recipient gets the email: a sentence. */
  reason: string;
}

/**
 * Receives the accounts whose address the mail server refuses. The name makes the queue part of an account's emails.
 */
export const refusedQueue = { name: 'mail-refused', deleteAfterSeconds: 24 * 3600 };

/** The data of a job in `refusedQueue`. */
export interface Refusal {
  /** The id of the account. */
  about: number;
  email: string;
}

/**
 * Queues one email for each account. `write` marks in its transaction what the email reports, so that an email is sent
 * exactly once, whatever process dies. It returns undefined if there is nothing left to report. Accounts without a
 * sendable address are skipped. If one account fails, the others still get their email, and the error is thrown at the
 * end.
 * @returns the number of queued emails
 */
export async function sendToEach(
  context: MailContext,
  userIds: readonly number[],
  signal: AbortSignal,
  write: (trx: Db, recipient: Recipient) => Promise<Content | undefined>,
): Promise<number> {
  const errors: unknown[] = [];
  let count = 0;
  for (const userId of userIds) {
    signal.throwIfAborted();
    try {
      const isSent = await context.db.transaction().execute(async (trx) => {
        const recipient = await lockRecipient(trx, userId);
        if (!recipient || !isMailbox(recipient.email)) return false;
        const content = await write(trx, recipient);
        if (content) await queueMail(context, trx, [toEmail(context, recipient, content)]);
        return content !== undefined;
      });
      if (isSent) count += 1;
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${countOf(errors.length, 'email')} could not be queued.`);
  return count;
}

function toEmail({ config, secretKey }: MailContext, recipient: Recipient, { subject, body, reason }: Content): Email {
  const { id, email } = recipient;
  const name = toMailName(recipient);
  const unsubscribeUrl = pageLink(config, toUnsubscribePath(secretKey, id));
  const refusal: Refusal = { about: id, email };
  const links = [
    { text: 'Change settings', url: pageLink(config, '/account?tab=notifications') },
    { text: 'Unsubscribe', url: unsubscribeUrl },
  ];
  return {
    to: { name, address: email },
    subject,
    ...renderEmail({ body: [name ? `Hello ${name},` : 'Hello,', ...body], footer: { reason, links } }),
    unsubscribeUrl,
    about: id,
    ifRefused: { queue: refusedQueue.name, data: refusal },
  };
}
