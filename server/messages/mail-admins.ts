import { listAdminAddresses } from '../accounts/list-admin-addresses.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { pageLink } from '../mail/letter.ts';
import { queueMail } from '../mail/queue-mail.ts';

interface NewMessage {
  id: number;
  /** Null: written without an account. */
  userId: number | null;
  name: string;
  email: string;
  subject: string;
  message: string;
}

/** Tells every admin of a message that has just come in, once the transaction has committed. Answering goes to its sender. */
export async function mailAdmins(
  context: Pick<Context, 'config' | 'jobs' | 'log'>,
  trx: Db,
  { id, userId, name, email, subject, message }: NewMessage,
): Promise<void> {
  if (!context.config.mail) return;
  const link = pageLink(context.config, `/admin/inbox?message=${id}`);
  const text = [`${name} <${email}> wrote:`, '', message, '', '--', `In the inbox: ${link}`].join('\n');
  const letters = (await listAdminAddresses(trx)).map((to) => ({
    to,
    replyTo: { name, address: email },
    subject: `New message: ${subject}`,
    text,
    ...(userId !== null && { about: userId }),
  }));
  await queueMail(context, trx, letters);
}
