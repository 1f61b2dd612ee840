import type { IncomingHttpHeaders } from 'node:http';
import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import { HttpError, invalid } from '../http/errors.ts';
import { findCustomer } from './store.ts';
import { requestSync } from './sync.ts';

/** Seconds for which a signature counts, against replays of old ones. */
const tolerance = 300;

/** Milliseconds between two warnings. */
const quietFor = 60_000;

/**
 * Returns what takes the events of Stripe, with the bytes of the body, which are signed. Only the customer that an event names is
 * believed: a job asks Stripe what they pay for, so that events may come twice and in any order. Throws 400 for what Stripe has not
 * signed in the last minutes.
 */
export function openWebhook({ config, db, jobs, log, now, stripe }: Context) {
  let warnedAt = Number.NEGATIVE_INFINITY;

  /** With a wrong secret every event is refused, and payments are not seen. But anybody may send events: nothing of it is logged. */
  function warn(): void {
    const time = now().getTime();
    if (time - warnedAt < quietFor) return;
    warnedAt = time;
    log.warn(
      "an event for Stripe's webhook is refused: if Stripe sent it, STRIPE_WEBHOOK_SECRET is not that of its endpoint, or this clock is wrong",
    );
  }

  async function verify(signature: string | string[] | undefined, body: unknown): Promise<Stripe.Event> {
    if (!stripe || !config.stripe) throw new HttpError(404, 'not_found', 'Payments are not set up on this server.');
    if (Buffer.isBuffer(body) && typeof signature === 'string') {
      try {
        return await stripe.webhooks.constructEventAsync(body, signature, config.stripe.webhookSecret, tolerance);
      } catch {
        warn();
      }
    }
    throw invalid('This is not signed by the payment service, or was signed too long ago.');
  }

  return async (headers: IncomingHttpHeaders, body: unknown): Promise<void> => {
    const event = await verify(headers['stripe-signature'], body);
    const customerId = customerIdOf(event.data.object);
    // Other sites may be paid through the same account of Stripe.
    if (customerId && (await findCustomer(db, customerId))) await requestSync(jobs, customerId);
  };
}

/** The customer of a subscription, a checkout or an invoice; undefined for anything else. */
function customerIdOf(object: object): string | undefined {
  return 'customer' in object && typeof object.customer === 'string' ? object.customer : undefined;
}
