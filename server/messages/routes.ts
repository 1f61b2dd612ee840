import {
  countMessages as countCall,
  deleteMessage as deleteCall,
  getMessage as getCall,
  listMessages as listCall,
  markMessageRead,
  markMessageReplied,
  replyToMessage as replyCall,
  sendMessage as sendCall,
} from '#shared/messages.ts';
import type { Context } from '../context.ts';
import { networkOf } from '../http/address.ts';
import { route, type Scope } from '../http/scope.ts';
import { deleteMessage } from './delete-message.ts';
import { markRead, markReplied, messageOf, readMessage, sendMessage } from './messages.ts';
import { replyToMessage } from './reply-to-message.ts';
import * as store from './store.ts';

export const messageRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    route(scope, sendCall, async ({ body, user, request }) => {
      await sendMessage(context, body, { userId: user?.id, address: networkOf(request) });
      return { received: true };
    });
  },

  admin(scope: Scope<'admin'>, context: Context): void {
    const { config, db } = context;

    route(scope, listCall, async ({ query }) => {
      const rows = await store.listMessages(db, query);
      return rows.map((row) => messageOf(row.id, row));
    });

    route(scope, countCall, async ({ query }) => ({
      ...(await store.countMessages(db, query)),
      canReply: config.mail !== undefined,
    }));

    route(scope, getCall, ({ params }) => readMessage(db, params.id));

    route(scope, markMessageRead, ({ params, audit }) => markRead(context, params.id, audit));

    route(scope, markMessageReplied, ({ params, audit }) => markReplied(context, params.id, audit));

    route(scope, replyCall, ({ params, body, user, audit }) =>
      replyToMessage(context, params.id, body.message, user, audit),
    );

    route(scope, deleteCall, async ({ params, audit }) => {
      await deleteMessage(db, params.id, audit);
      return undefined;
    });
  },
};
