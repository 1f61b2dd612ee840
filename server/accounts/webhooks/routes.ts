import * as contract from '#shared/accounts/webhooks.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { recordAccountEvent } from '../account-events/account-events.ts';
import * as webhooks from './webhooks.ts';

export const webhookRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    const { now } = context;

    route(scope, contract.listWebhooks, async ({ user }) => ({
      webhooks: await webhooks.listWebhooksOfUser(context, user.id),
    }));

    route(scope, contract.createWebhook, ({ body, user, request }) =>
      webhooks.createWebhook(context, user, body, (trx, host) =>
        recordAccountEvent(trx, request, { userId: user.id, kind: 'webhook-created', now: now(), subject: host }),
      ),
    );

    route(scope, contract.updateWebhook, ({ params, body, user }) =>
      webhooks.updateWebhook(context, user, params.id, body),
    );

    route(scope, contract.deleteWebhook, ({ params, user }) => webhooks.deleteWebhook(context, user.id, params.id));

    route(scope, contract.rotateWebhookSecret, ({ params, user, request }) =>
      webhooks.rotateSecret(context, user.id, params.id, (trx, host) =>
        recordAccountEvent(trx, request, {
          userId: user.id,
          kind: 'webhook-secret-replaced',
          now: now(),
          subject: host,
        }),
      ),
    );

    route(scope, contract.testWebhook, ({ params, user, signal }) =>
      webhooks.sendTest(context, user.id, params.id, signal),
    );

    route(scope, contract.listDeliveries, ({ params, query, user }) =>
      webhooks.listDeliveries(context, user.id, params.id, query),
    );

    route(scope, contract.replayDelivery, ({ params, user, signal }) =>
      webhooks.replayDelivery(context, user.id, params, signal),
    );
  },
};
