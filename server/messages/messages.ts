import type { ContactInput, Message, OpenMessage } from '#shared/messages.ts';
import { listAdminAddresses } from '../accounts/accounts.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { notFound, unauthorized } from '../http/errors.ts';
import type { Audit } from '../http/scope.ts';
import { pageLink, queueMail } from '../mail/mail.ts';
import { countUse } from '../throttle/throttle.ts';
import * as store from './store.ts';
import { findMessage, insertMessage, insertUserMessage, listReplies } from './store.ts';

/** A page of what the user wrote to the admins while signed in and what they answered, oldest first, behind the id `after`. */
export async function listMessagesOf(db: Db, userId: number, after: number, limit: number) {
  const messages = await store.listMessagesOf(db, userId, after, limit);
  const replies = await store.listRepliesTo(
    db,
    messages.map(({ id }) => id),
  );
  return messages.map((message) => ({
    ...message,
    replies: replies.filter(({ messageId }) => messageId === message.id).map(({ messageId: _, ...reply }) => reply),
  }));
}

/** Deletes it: each message carries the name and the address of its sender. */
export function deleteMessagesOf(db: Db, userId: number): Promise<void> {
  return store.deleteMessagesOf(db, userId);
}

/** What the user answered as an admin stays with the messages of others, under this name. */
export function renameReplier(trx: Db, userId: number, name: string): Promise<void> {
  return store.updateReplier(trx, userId, name);
}

const sentence = 'You have sent many messages in the last hour. Please try again later.';

/**
 * Puts a text of the contact form into the admin inbox and tells the admins. Throws 429 when an address has sent ten in an hour.
 * What is sent in the name of one e-mail address is not limited: nobody has shown it to be theirs, and others could use it up.
 * @returns the message's id, undefined when it was a program's and nothing is kept
 */
export async function sendMessage(
  context: Pick<Context, 'config' | 'db' | 'jobs' | 'log' | 'now'>,
  { website, ...input }: ContactInput,
  sender: { userId: number | undefined; address: string },
): Promise<number | undefined> {
  // Nobody sees this field: a program filled it in. It gets the usual answer, for it would try otherwise next time.
  if (website) return undefined;
  const { db } = context;
  const now = context.now();
  await countUse(db, { key: `contact:${sender.address}`, maxPerHour: 10, sentence }, now);
  return await db.transaction().execute(async (trx) => {
    const message = { ...input, userId: sender.userId ?? null };
    const id = await insertMessage(trx, { ...message, now });
    await mailAdmins(context, trx, { id, ...message });
    return id;
  });
}

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
  await countUse(context.db, { key: `report:${userId}`, maxPerHour: reportsPerHour, sentence }, context.now());
  const subject = `Incorrect information about ${domain.name}`;
  return await context.db.transaction().execute(async (trx) => {
    const kept = await insertUserMessage(trx, userId, { domainId: domain.id, subject, message, now: context.now() });
    if (!kept) throw unauthorized();
    await mailAdmins(context, trx, { ...kept, userId, subject, message });
    return kept.id;
  });
}

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
async function mailAdmins(
  context: Pick<Context, 'config' | 'jobs' | 'log'>,
  trx: Db,
  { id, userId, name, email, subject, message }: NewMessage,
): Promise<void> {
  if (!context.config.mail) return;
  const link = pageLink(context.config, `/admin/inbox?message=${id}`);
  const text = [`${name} <${email}> wrote:`, '', message, '', '--', `In the inbox: ${link}`].join('\n');
  const emails = (await listAdminAddresses(trx)).map((to) => ({
    to,
    replyTo: { name, address: email },
    subject: `New message: ${subject}`,
    text,
    ...(userId !== null && { about: userId }),
  }));
  await queueMail(context, trx, emails);
}

/** Says that a message was read; again changes nothing. Throws 404. */
export function markRead(context: Pick<Context, 'db' | 'now'>, id: number, audit: Audit): Promise<Message> {
  return mark(store.markRead, context, id, audit);
}

/** Says that a message was answered, and so read; again changes nothing. Throws 404. */
export function markReplied(context: Pick<Context, 'db' | 'now'>, id: number, audit: Audit): Promise<Message> {
  return mark(store.markReplied, context, id, audit);
}

async function mark(
  update: typeof store.markRead,
  { db, now }: Pick<Context, 'db' | 'now'>,
  id: number,
  audit: Audit,
): Promise<Message> {
  return db.transaction().execute(async (trx) => {
    const message = messageOf(id, await update(trx, id, now()));
    await audit(trx);
    return message;
  });
}

type MessageRow = NonNullable<Awaited<ReturnType<typeof findMessage>>>;

/** Throws 404. */
export async function readMessage(db: Db, id: number): Promise<OpenMessage> {
  const [row, replies] = await Promise.all([findMessage(db, id), listReplies(db, id)]);
  const sent = replies.map(({ createdAt, lostAt, ...reply }) => ({
    ...reply,
    dateCreated: createdAt.toISOString(),
    lost: lostAt !== null,
  }));
  return { ...messageOf(id, row), replies: sent };
}

/** A row as the contract has it. Throws 404 where there is none. */
export function messageOf(id: number, row: MessageRow | undefined): Message {
  if (!row) throw notFound('message', id);
  const { createdAt, readAt, repliedAt, ...rest } = row;
  return {
    ...rest,
    dateCreated: createdAt.toISOString(),
    read: readAt !== null || repliedAt !== null,
    replied: repliedAt !== null,
  };
}
