import {
  changeManually as changeCall,
  startCheckout as checkoutCall,
  readSubscription as readCall,
  simulateSuccess as simulateCall,
  testCheckout as testCall,
} from '#shared/subscriptions.ts';
import type { Context } from '../context.ts';
import { networkOf, originOf } from '../http/address.ts';
import { route, type Scope } from '../http/scope.ts';
import { changeManually } from './change-manually.ts';
import { readSubscription } from './own-subscription.ts';
import { simulateSuccess } from './simulate-success.ts';
import { startCheckout } from './start-checkout.ts';
import { testCheckout } from './test-checkout.ts';

export const subscriptionRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    const { debug, publicOrigin } = context.config;
    // For trying things out: without LINKSIEVE_DEBUG the server has no such call.
    if (!debug) return;
    route(scope, testCall, ({ body, request }) =>
      testCheckout(context, body, originOf(request, publicOrigin), networkOf(request)),
    );
  },

  user(scope: Scope<'user'>, context: Context): void {
    const { publicOrigin } = context.config;

    route(scope, readCall, ({ user }) => readSubscription(context, user.id));

    route(scope, checkoutCall, ({ body, user, request }) =>
      startCheckout(context, user.id, body.tier, originOf(request, publicOrigin)),
    );

    route(scope, changeCall, ({ body, user, request }) =>
      changeManually(context, user.id, body.tier, originOf(request, publicOrigin)),
    );

    route(scope, simulateCall, ({ query, user, request }) =>
      simulateSuccess(context, user.id, query.tier, originOf(request, publicOrigin)),
    );
  },
};
