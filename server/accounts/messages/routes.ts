import * as contract from '#shared/accounts/messages.ts';
import type { Context } from '../../context.ts';
import { getClientNetwork } from '../../platform/http/address.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { deleteMessage, getMessage, markMessage, replyToMessage, sendMessage, toMessage } from './messages.ts';
import { countMessages, listMessages } from './store.ts';

export const messageRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    route(scope, contract.sendMessage, async ({ body, user, request }) => {
      await sendMessage(context, body, { userId: user?.id, network: getClientNetwork(request) });
      return { received: true };
    });
  },

  admin(scope: Scope<'admin'>, context: Context): void {
    const { config, db } = context;

    route(scope, contract.listMessages, async ({ query }) => {
      const rows = await listMessages(db, query);
      return rows.map((row) => toMessage(row.id, row));
    });

    route(scope, contract.countMessages, async ({ query }) => ({
      ...(await countMessages(db, query)),
      canReply: config.mail !== undefined,
    }));

    route(scope, contract.getMessage, ({ params }) => getMessage(db, params.id));

    route(scope, contract.markMessageRead, ({ params, audit }) => markMessage(context, params.id, 'read', audit));

    route(scope, contract.markMessageReplied, ({ params, audit }) => markMessage(context, params.id, 'replied', audit));

    route(scope, contract.replyToMessage, ({ params, body, user, audit }) =>
      replyToMessage(context, params.id, body.message, { admin: user, audit }),
    );

    route(scope, contract.deleteMessage, ({ params, audit }) => deleteMessage(db, params.id, audit));
  },
};
