import {
  changeManually,
  startCheckout as checkoutCall,
  readSubscription as readCall,
  simulateSuccess as simulateCall,
  stripeWebhook,
  testCheckout as testCall,
} from '#shared/subscriptions.ts';
import type { Context } from '../context.ts';
import { getClientNetwork, getRequestOrigin } from '../http/address.ts';
import { route, type Scope } from '../http/scope.ts';
import { changeSubscription } from './change.ts';
import { startCheckout, testCheckout } from './checkout.ts';
import { simulateSuccess } from './simulated.ts';
import { readSubscription } from './subscriptions.ts';
import { openWebhook } from './webhook.ts';

export const subscriptionRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    const { debug, publicOrigin } = context.config;
    webhookRoute(scope, context);
    // For trying things out: without LINKSIEVE_DEBUG the server has no such call.
    if (!debug) return;
    route(scope, testCall, ({ body, request }) =>
      testCheckout(context, body, getRequestOrigin(request, publicOrigin), getClientNetwork(request)),
    );
  },

  user(scope: Scope<'user'>, context: Context): void {
    const { publicOrigin } = context.config;

    route(scope, readCall, ({ user }) => readSubscription(context, user.id));

    route(scope, checkoutCall, ({ body, user, request }) =>
      startCheckout(context, user.id, body.tier, getRequestOrigin(request, publicOrigin)),
    );

    route(scope, changeManually, ({ body, user, request }) =>
      changeSubscription(context, user.id, body.tier, getRequestOrigin(request, publicOrigin)),
    );

    route(scope, simulateCall, ({ query, user, request }) =>
      simulateSuccess(context, user.id, query.tier, getRequestOrigin(request, publicOrigin)),
    );
  },
};

/** Stripe's own events are a few kilobytes. */
const bodyLimit = 256 * 1024;

/** Where Stripe sends events. A scope of its own: the bytes of a body are signed, so nothing may parse them before. */
function webhookRoute(scope: Scope<'public'>, context: Context): void {
  const receive = openWebhook(context);
  scope.app.register(async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer', bodyLimit },
      async (_: unknown, body: Buffer) => body,
    );
    route({ ...scope, app }, stripeWebhook, async ({ request }) => {
      await receive(request.headers, request.body);
      return { received: true };
    });
  });
}
