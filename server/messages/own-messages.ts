import type { Db } from '../db/database.ts';
import * as store from './store.ts';

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
