import type { ContactInput, Message, MessageWithReplies } from '#shared/accounts/messages.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { conflict, notFound } from '../../platform/http/errors.ts';
import type { Audit, Identity } from '../../platform/http/scope.ts';
import { isMailbox, pageLink, queueMail } from '../../platform/mail/mail.ts';
import { hasWebAddress } from '../../platform/mail/names.ts';
import { recordUse } from '../../platform/throttle/throttle.ts';
import { requireRoom } from '../../platform/usage/usage.ts';
import { getAccount, listAdminAddresses } from '../accounts/accounts.ts';
import * as store from './store.ts';

type MailContext = Pick<Context, 'config' | 'db' | 'jobs' | 'log' | 'now'>;

/**
 * Stores a message from the contact form in the admin inbox and emails the admins. There is no limit per email address:
 * addresses are not verified, so others could use up the limit of an address.
 * @returns the message's id, undefined for spam, which is not stored
 * @throws 429 after 10 messages from one network in an hour
 */
export async function sendMessage(
  context: MailContext,
  { website, ...input }: ContactInput,
  sender: { userId: number | undefined; network: string },
): Promise<number | undefined> {
  // The field is hidden, so only bots fill it in. They get the usual response and do not learn that the message is
  // dropped.
  if (website) return undefined;
  const now = context.now();
  const limitMessage = 'You have sent too many messages in the last hour. Please try again later.';
  await recordUse(context.db, { key: `contact:${sender.network}`, maxPerHour: 10, limitMessage }, now);
  return await context.db
    .transaction()
    .execute((trx) => createMessage(context, trx, { ...input, userId: sender.userId ?? null, now }));
}

const maxReportsPerHour = 30;

/**
 * Stores a user's report of incorrect information about a domain in the admin inbox, with the account's name and email
 * address, and emails the admins.
 * @returns the message's id
 * @throws 429 after 30 reports by the user in an hour
 */
export async function sendDomainReport(
  context: MailContext,
  userId: number,
  domain: { id: number; name: string },
  message: string,
): Promise<number> {
  const now = context.now();
  const limitMessage = 'You have sent too many reports in the last hour. Please try again later.';
  await recordUse(context.db, { key: `report:${userId}`, maxPerHour: maxReportsPerHour, limitMessage }, now);
  const { displayName, username, email } = await getAccount(context.db, userId);
  return await context.db.transaction().execute((trx) =>
    createMessage(context, trx, {
      userId,
      name: displayName ?? username,
      email,
      subject: `Incorrect information about ${domain.name}`,
      message,
      domainId: domain.id,
      now,
    }),
  );
}

/**
 * Stores the appeal of a domain's owner in the admin inbox, with the account's name and email address, and emails the
 * admins. Call it after the owner has proven control of the domain, in the same transaction.
 */
export async function sendAppealMessage(
  context: MailContext,
  trx: Db,
  userId: number,
  appeal: { id: number; domain: string; message: string },
): Promise<void> {
  const { displayName, username, email } = await getAccount(trx, userId);
  await createMessage(context, trx, {
    userId,
    name: displayName ?? username,
    email,
    subject: `Appeal by the owner of ${appeal.domain}`,
    message: appeal.message,
    appealId: appeal.id,
    now: context.now(),
  });
}

/** Stores a message and emails it to every admin. Replies to the email go to the sender. @returns the message's id */
async function createMessage(context: MailContext, trx: Db, input: store.NewMessage): Promise<number> {
  const id = await store.insertMessage(trx, input);
  if (input.userId !== null) await requireRoom(trx, context.config, input.userId, 'messages');
  if (!context.config.mail) return id;
  const { userId, name, email, subject, message } = input;
  const link = pageLink(context.config, `/admin/inbox?message=${id}`);
  const footer = ['--', 'Reply to this email to write to the sender, or open the admin inbox:', link];
  const text = [`${name} <${email}> wrote:`, '', message, '', ...footer].join('\n');
  const emails = (await listAdminAddresses(trx)).map((to) => ({
    to,
    replyTo: { name, address: email },
    subject: `New message: ${subject}`,
    text,
    ...(userId !== null && { about: userId }),
  }));
  await queueMail(context, trx, emails);
  return id;
}

/** Receives replies whose email could not be delivered. */
export const failedReplyQueue = { name: 'message-reply-lost' };

/**
 * Replies to a message by email and marks it as replied. Further replies from the sender go to the admin.
 * @returns the message with all replies
 * @throws 404 for an unknown message, 409 when email is not configured or the sender's address is invalid
 */
export async function replyToMessage(
  context: MailContext,
  id: number,
  text: string,
  { admin, audit }: { admin: Identity; audit: Audit },
): Promise<MessageWithReplies> {
  const { config, db } = context;
  if (!config.mail)
    throw conflict('This server does not send email. Please write to the sender from your own email program.');
  const now = context.now();
  return await db.transaction().execute(async (trx) => {
    const row = await store.markMessage(trx, id, 'replied', now);
    const message = toMessage(id, row);
    if (!isMailbox(message.email))
      throw conflict(`The address ${message.email} is not valid, so your reply cannot be sent.`);
    const replyId = await store.insertReply(trx, {
      messageId: id,
      userId: admin.id,
      username: admin.username,
      message: text,
      now,
    });
    const replyTo = (await listAdminAddresses(trx)).find(({ userId }) => userId === admin.id);
    const email = {
      // Anyone can enter any name and address in the contact form.
      to: { name: hasWebAddress(message.name) ? undefined : message.name, address: message.email },
      subject: /^re:/i.test(message.subject) ? message.subject : `Re: ${message.subject}`,
      text: `${text}\n\n${hasWebAddress(message.name) ? 'You' : message.name} wrote on ${message.dateCreated.slice(0, 10)}:\n${quote(message.message)}`,
      byHand: true,
      ...(row?.userId && { about: row.userId }),
      ifLost: { queue: failedReplyQueue.name, data: { replyId } },
    };
    await queueMail(context, trx, [{ ...email, ...(replyTo && { replyTo }) }]);
    await audit(trx);
    return await getMessage(trx, id);
  });
}

function quote(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/** Marks a message as read or replied. A replied message is also read. @throws 404 */
export function markMessage(
  { db, now }: Pick<Context, 'db' | 'now'>,
  id: number,
  state: 'read' | 'replied',
  audit: Audit,
): Promise<Message> {
  return db.transaction().execute(async (trx) => {
    const message = toMessage(id, await store.markMessage(trx, id, state, now()));
    await audit(trx);
    return message;
  });
}

/** Deletes a message with its replies. @throws 404 */
export async function deleteMessage(db: Db, id: number, audit: Audit): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const subject = await store.deleteMessage(trx, id);
    if (subject === undefined) throw notFound('message', id);
    await audit(trx, { subject });
  });
}

/** A message with its replies. @throws 404 */
export async function getMessage(db: Db, id: number): Promise<MessageWithReplies> {
  const [row, replies] = await Promise.all([store.findMessage(db, id), store.listReplies(db, id)]);
  const sent = replies.map(({ createdAt, lostAt, ...reply }) => ({
    ...reply,
    dateCreated: createdAt.toISOString(),
    lost: lostAt !== null,
  }));
  return { ...toMessage(id, row), replies: sent };
}

/** A row as the API returns it. @throws 404 for no row */
export function toMessage(id: number, row: store.MessageRow | undefined): Message {
  if (!row) throw notFound('message', id);
  const { createdAt, readAt, repliedAt, ...rest } = row;
  return {
    ...rest,
    dateCreated: createdAt.toISOString(),
    read: readAt !== null || repliedAt !== null,
    replied: repliedAt !== null,
  };
}

/** A page of the messages that the user sent while signed in, with replies. Oldest first, with ids above `after`. */
export async function listMessagesOfUser(db: Db, userId: number, after: number, limit: number) {
  const messages = await store.listMessagesOfUser(db, userId, after, limit);
  const replies = await store.listRepliesTo(
    db,
    messages.map(({ id }) => id),
  );
  return messages.map((message) => ({
    ...message,
    replies: replies.filter(({ messageId }) => messageId === message.id).map(({ messageId: _, ...reply }) => reply),
  }));
}

/**
 * Deletes the messages of a user who is being deleted, and replaces the username in the user's replies as an admin by
 * `name`.
 */
export async function eraseUserFromMessages(trx: Db, userId: number, name: string): Promise<void> {
  await store.deleteMessagesOfUser(trx, userId);
  await store.updateReplyAuthor(trx, userId, name);
}
