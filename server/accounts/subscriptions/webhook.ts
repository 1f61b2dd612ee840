import type { IncomingHttpHeaders } from 'node:http';
import type Stripe from 'stripe';
import type { Context } from '../../context.ts';
import { HttpError, invalid } from '../../platform/http/errors.ts';
import { findCustomer } from './store.ts';
import { requestSync } from './sync.ts';

/** How long a signature is valid, which prevents replays of old events. */
const toleranceSeconds = 300;

const warningIntervalMs = 60_000;

/**
 * Returns the handler of Stripe's events, which takes the raw body. An event only queues a sync of its customer, which
 * reads the current state from Stripe. So events may arrive twice and in any order. The handler throws 400 for events
 * that Stripe did not sign within the last minutes, and 404 if payments are not set up.
 */
export function createWebhookHandler({ config, db, jobs, log, now, stripe }: Context) {
  let warnedAt = Number.NEGATIVE_INFINITY;

  /**
   * Warns the operator, because with a wrong secret no payment is recorded. Anyone can send events, so their contents
   * are not logged.
   */
  function warn(): void {
    const time = now().getTime();
    if (Math.abs(time - warnedAt) < warningIntervalMs) return;
    warnedAt = time;
    log.warn(
      'rejected a webhook event with an invalid signature: if Stripe sent it, check STRIPE_WEBHOOK_SECRET and the clock of this machine',
    );
  }

  async function verify(signature: string | string[] | undefined, body: unknown): Promise<Stripe.Event> {
    if (!stripe || !config.stripe) throw new HttpError(404, 'not_found', 'Payments are not set up on this server.');
    if (Buffer.isBuffer(body) && typeof signature === 'string') {
      try {
        return await stripe.webhooks.constructEventAsync(
          body,
          signature,
          config.stripe.webhookSecret,
          toleranceSeconds,
        );
      } catch {
        warn();
      }
    }
    throw invalid('The signature of this event is invalid or too old.');
  }

  return async (headers: IncomingHttpHeaders, body: unknown): Promise<void> => {
    const event = await verify(headers['stripe-signature'], body);
    const customerId = getCustomerId(event.data.object);
    // Other sites may use the same Stripe account.
    if (customerId && (await findCustomer(db, customerId))) await requestSync(jobs, customerId);
  };
}

/** Returns the customer of a subscription, a checkout or an invoice; undefined for other objects. */
function getCustomerId(object: object): string | undefined {
  return 'customer' in object && typeof object.customer === 'string' ? object.customer : undefined;
}
