import type { Message, OpenMessage } from '#shared/messages.ts';
import type { Db } from '../db/database.ts';
import { notFound } from '../http/errors.ts';
import { findMessage, listReplies } from './store.ts';

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
