import { type SelectQueryBuilder, sql } from 'kysely';
import type { MessageState } from '#shared/accounts/messages.ts';
import { type Db, toLikePattern } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/tables.ts';

const columns = [
  'id',
  'name',
  'email',
  'subject',
  'message',
  'domain_id as domainId',
  'appeal_id as appealId',
  'created_at as createdAt',
  'read_at as readAt',
  'replied_at as repliedAt',
] as const;

export interface NewMessage {
  /** Null for a message that was sent without signing in. */
  userId: number | null;
  name: string;
  email: string;
  subject: string;
  message: string;
  /** The domain that the message is about. */
  domainId?: number;
  /** The verified appeal that the message is about. */
  appealId?: number;
  now: Date;
}

/** @returns the message's id */
export async function insertMessage(
  db: Db,
  { userId, domainId, appealId, now, ...texts }: NewMessage,
): Promise<number> {
  const { id } = await db
    .insertInto('messages')
    .values({
      ...texts,
      user_id: userId,
      domain_id: domainId ?? null,
      appeal_id: appealId ?? null,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

interface MessageFilter {
  status?: MessageState | undefined;
  search?: string | undefined;
}

/** Newest first. `page` counts from zero. */
export function listMessages(
  db: Db,
  { page, pageSize, ...filter }: MessageFilter & { page: number; pageSize: number },
) {
  return filtered(db.selectFrom('messages').select(columns), filter)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute();
}

export function countMessages(db: Db, filter: Pick<MessageFilter, 'search'>) {
  const notReplied = sql`replied_at is null`;
  return filtered(db.selectFrom('messages'), filter)
    .select([
      sql<number>`count(*)`.as('total'),
      sql<number>`count(*) filter (where ${notReplied} and read_at is null)`.as('new'),
      sql<number>`count(*) filter (where ${notReplied} and read_at is not null)`.as('read'),
      sql<number>`count(*) filter (where replied_at is not null)`.as('replied'),
    ])
    .executeTakeFirstOrThrow();
}

function filtered<O>(query: SelectQueryBuilder<Tables, 'messages', O>, { status, search }: MessageFilter) {
  return query
    .$if(status === 'new', (q) => q.where('replied_at', 'is', null).where('read_at', 'is', null))
    .$if(status === 'read', (q) => q.where('replied_at', 'is', null).where('read_at', 'is not', null))
    .$if(status === 'replied', (q) => q.where('replied_at', 'is not', null))
    .$if(Boolean(search), (q) => q.where(sql<boolean>`${searchedText} ilike ${toLikePattern(search ?? '')}`));
}

/** Must be exactly the expression of the index `messages_text`. */
const searchedText = sql`(name || e'\\n' || email || e'\\n' || subject || e'\\n' || message)`;

export type MessageRow = NonNullable<Awaited<ReturnType<typeof findMessage>>>;

export function findMessage(db: Db, id: number) {
  return db.selectFrom('messages').select(columns).where('id', '=', id).executeTakeFirst();
}

/** A replied message is also read. Earlier times are kept. @returns undefined when there is no such message */
export function markMessage(db: Db, id: number, state: 'read' | 'replied', now: Date) {
  return db
    .updateTable('messages')
    .set({
      read_at: sql<Date>`coalesce(read_at, ${now})`,
      ...(state === 'replied' && { replied_at: sql<Date>`coalesce(replied_at, ${now})` }),
    })
    .where('id', '=', id)
    .returning([...columns, 'user_id as userId'])
    .executeTakeFirst();
}

/** @returns the message's subject, undefined when there is no such message */
export async function deleteMessage(db: Db, id: number): Promise<string | undefined> {
  const row = await db.deleteFrom('messages').where('id', '=', id).returning('subject').executeTakeFirst();
  return row?.subject;
}

export async function insertReply(
  db: Db,
  reply: { messageId: number; userId: number; username: string; message: string; now: Date },
): Promise<number> {
  const { id } = await db
    .insertInto('message_replies')
    .values({
      message_id: reply.messageId,
      user_id: reply.userId,
      username: reply.username,
      message: reply.message,
      created_at: reply.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Marks a reply as not delivered. Its message stays replied only if it has another reply or an admin marked it by hand.
 */
export async function markReplyFailed(trx: Db, replyId: number, now: Date): Promise<void> {
  const reply = await trx
    .updateTable('message_replies')
    .set({ lost_at: now })
    .where('id', '=', replyId)
    .where('lost_at', 'is', null)
    .returning(['message_id', 'created_at'])
    .executeTakeFirst();
  if (!reply) return;
  await trx
    .updateTable('messages')
    .set(({ selectFrom }) => ({
      replied_at: selectFrom('message_replies')
        .select(({ fn }) => fn.min('created_at').as('replied_at'))
        .where('message_id', '=', reply.message_id)
        .where('lost_at', 'is', null),
    }))
    .where('id', '=', reply.message_id)
    .where('replied_at', '=', reply.created_at)
    .execute();
}

/** In the order they were sent. */
export function listReplies(db: Db, messageId: number) {
  return db
    .selectFrom('message_replies')
    .select(['id', 'username', 'message', 'created_at as createdAt', 'lost_at as lostAt'])
    .where('message_id', '=', messageId)
    .orderBy('id')
    .execute();
}

/** The user's messages with ids above `after`, oldest first. */
export function listMessagesOfUser(db: Db, userId: number, after: number, limit: number) {
  return db
    .selectFrom('messages')
    .select(['id', 'name', 'email', 'subject', 'message', 'created_at as sentAt'])
    .where('user_id', '=', userId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** The replies to any of the messages, in the order they were sent, without their authors. */
export function listRepliesTo(db: Db, messageIds: readonly number[]) {
  return db
    .selectFrom('message_replies')
    .select(['message_id as messageId', 'message', 'created_at as sentAt'])
    .where(sql<boolean>`message_id = any(${messageIds}::bigint[])`)
    .orderBy('id')
    .execute();
}

export async function updateReplyAuthor(db: Db, userId: number, username: string): Promise<void> {
  await db.updateTable('message_replies').set({ username }).where('user_id', '=', userId).execute();
}

export async function deleteMessagesOfUser(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('messages').where('user_id', '=', userId).execute();
}
