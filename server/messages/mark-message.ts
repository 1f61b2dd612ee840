import type { Message } from '#shared/messages.ts';
import type { Context } from '../context.ts';
import type { Note } from '../http/scope.ts';
import { messageOf } from './read-message.ts';
import * as store from './store.ts';

/** Says that a message was read; again changes nothing. Throws 404. */
export function markRead(context: Pick<Context, 'db' | 'now'>, id: number, note: Note): Promise<Message> {
  return mark(store.markRead, context, id, note);
}

/** Says that a message was answered, and so read; again changes nothing. Throws 404. */
export function markReplied(context: Pick<Context, 'db' | 'now'>, id: number, note: Note): Promise<Message> {
  return mark(store.markReplied, context, id, note);
}

async function mark(
  update: typeof store.markRead,
  { db, now }: Pick<Context, 'db' | 'now'>,
  id: number,
  note: Note,
): Promise<Message> {
  return db.transaction().execute(async (trx) => {
    const message = messageOf(id, await update(trx, id, now()));
    await note(trx);
    return message;
  });
}
