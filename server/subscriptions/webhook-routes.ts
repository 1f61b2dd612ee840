import { stripeWebhook } from '#shared/subscriptions.ts';
import type { Context } from '../context.ts';
import { HttpError } from '../http/errors.ts';
import { route, type Scope } from '../http/scope.ts';
import { receiveEvent } from './receive-event.ts';
import { unsignedWarning } from './warn-unsigned.ts';

/** Stripe's own events are a few kilobytes. */
const bodyLimit = 256 * 1024;

/** Where Stripe tells what was paid. A scope of its own: what is signed is the bytes of a body, before anybody reads it. */
export const webhookRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    const warn = unsignedWarning(context);
    scope.app.register(async (app) => {
      app.removeAllContentTypeParsers();
      app.addContentTypeParser(
        'application/json',
        { parseAs: 'buffer', bodyLimit },
        async (_: unknown, body: Buffer) => body,
      );
      route({ ...scope, app }, stripeWebhook, async ({ request }) => {
        const { stripe, config } = context;
        if (!stripe || !config.stripe) {
          throw new HttpError(404, 'not_found', 'Payments are not set up on this server.');
        }
        await receiveEvent(context, stripe, config.stripe, request.headers, request.body, warn);
        return { received: true };
      });
    });
  },
};
