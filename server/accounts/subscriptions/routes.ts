import * as contract from '#shared/accounts/subscriptions.ts';
import type { Context } from '../../context.ts';
import { getClientNetwork, getRequestOrigin } from '../../platform/http/address.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { changeSubscription } from './change.ts';
import { startCheckout, testCheckout } from './checkout.ts';
import { simulateSuccess } from './simulated.ts';
import { readSubscription } from './subscriptions.ts';
import { createWebhookHandler } from './webhook.ts';

export const subscriptionRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    const { debug, publicOrigin } = context.config;
    webhookRoute(scope, context);
    // The test checkout exists only with LINKSIEVE_DEBUG.
    if (!debug) return;
    route(scope, contract.testCheckout, ({ body, request }) =>
      testCheckout(context, body, getRequestOrigin(request, publicOrigin), getClientNetwork(request)),
    );
  },

  user(scope: Scope<'user'>, context: Context): void {
    const { publicOrigin } = context.config;

    route(scope, contract.readSubscription, ({ user }) => readSubscription(context, user.id));

    route(scope, contract.startCheckout, ({ body, user, request }) =>
      startCheckout(context, user.id, body.tier, getRequestOrigin(request, publicOrigin)),
    );

    route(scope, contract.changeSubscription, ({ body, user, request }) =>
      changeSubscription(context, user.id, body.tier, getRequestOrigin(request, publicOrigin)),
    );

    route(scope, contract.simulateSuccess, ({ query, user, request }) =>
      simulateSuccess(context, user.id, query.tier, getRequestOrigin(request, publicOrigin)),
    );
  },
};

/** Stripe's events are a few kilobytes. */
const maxBodyBytes = 256 * 1024;

/**
 * Receives events from Stripe. Registered separately without body parsers, because the signature covers the raw bytes.
 */
function webhookRoute(scope: Scope<'public'>, context: Context): void {
  const receive = createWebhookHandler(context);
  scope.app.register(async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer', bodyLimit: maxBodyBytes },
      async (_: unknown, body: Buffer) => body,
    );
    route({ ...scope, app }, contract.stripeWebhook, async ({ request }) => {
      await receive(request.headers, request.body);
      return { received: true };
    });
  });
}
