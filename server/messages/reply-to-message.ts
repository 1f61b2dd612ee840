import type { OpenMessage } from '#shared/messages.ts';
import { listAdminAddresses } from '../accounts/accounts.ts';
import type { Context } from '../context.ts';
import { conflict } from '../http/errors.ts';
import type { Audit, Identity } from '../http/scope.ts';
import { isMailbox, queueMail } from '../mail/mail.ts';
import { replyLostQueue } from './jobs.ts';
import { messageOf, readMessage } from './messages.ts';
import { insertReply, markReplied } from './store.ts';

/**
 * Answers a message by mail, to be answered in turn to the admin who wrote it, and marks it as replied. Throws 404, and 409 where
 * no mail can be sent.
 * @returns the message with all replies
 */
export async function replyToMessage(
  context: Pick<Context, 'config' | 'db' | 'jobs' | 'log' | 'now'>,
  id: number,
  text: string,
  admin: Identity,
  audit: Audit,
): Promise<OpenMessage> {
  const { config, db } = context;
  if (!config.mail) throw conflict('This server sends no mail. Please write to the sender from your own mail program.');
  const now = context.now();
  return await db.transaction().execute(async (trx) => {
    const row = await markReplied(trx, id, now);
    const message = messageOf(id, row);
    if (!isMailbox(message.email)) throw conflict(`Mail cannot be sent to the address ${message.email}.`);
    const replyId = await insertReply(trx, {
      messageId: id,
      userId: admin.id,
      username: admin.username,
      message: text,
      now,
    });
    const replyTo = (await listAdminAddresses(trx)).find(({ userId }) => userId === admin.id);
    const email = {
      to: { name: message.name, address: message.email },
      subject: /^re:/i.test(message.subject) ? message.subject : `Re: ${message.subject}`,
      text: `${text}\n\n${message.name} wrote on ${message.dateCreated.slice(0, 10)}:\n${quoted(message.message)}`,
      byHand: true,
      ...(row?.userId && { about: row.userId }),
      ifLost: { queue: replyLostQueue.name, data: { replyId } },
    };
    await queueMail(context, trx, [{ ...email, ...(replyTo && { replyTo }) }]);
    await audit(trx);
    return await readMessage(trx, id);
  });
}

function quoted(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}
