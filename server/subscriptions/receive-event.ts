import type { IncomingHttpHeaders } from 'node:http';
import { fromKysely } from 'pg-boss';
import type Stripe from 'stripe';
import type { StripeConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { invalid } from '../http/errors.ts';
import { settleQueue } from './queues.ts';
import { insertEvent } from './store-stripe.ts';

/** Seconds that a signature counts, against replays of old ones. */
const tolerance = 300;

/**
 * Takes an event that Stripe has signed: once, however often it comes, and whatever comes in which order. It is believed for one
 * thing only, which subscription it is about; what has become of that, a job asks Stripe. Throws 400 for what Stripe has not signed
 * in the last minutes, and leaves no trace of it.
 * @param body the bytes that were signed
 * @param warn called for a signature that does not fit
 */
export async function receiveEvent(
  { db, jobs, now }: Pick<Context, 'db' | 'jobs' | 'now'>,
  stripe: Stripe,
  { webhookSecret }: StripeConfig,
  headers: IncomingHttpHeaders,
  body: unknown,
  warn: () => void,
): Promise<void> {
  const event = await signed(stripe, webhookSecret, headers['stripe-signature'], body, warn);
  const subscriptionId = subscriptionOf(event);
  if (!subscriptionId) return;
  const row = { id: event.id, type: event.type, createdAt: new Date(event.created * 1000) };
  await db.transaction().execute(async (trx) => {
    if (!(await insertEvent(trx, row, now()))) return;
    await jobs.send(settleQueue.name, { subscriptionId }, { db: fromKysely(trx) });
  });
}

async function signed(
  stripe: Stripe,
  secret: string,
  signature: string | string[] | undefined,
  body: unknown,
  warn: () => void,
): Promise<Stripe.Event> {
  if (!Buffer.isBuffer(body) || typeof signature !== 'string') throw unsigned();
  try {
    return await stripe.webhooks.constructEventAsync(body, signature, secret, tolerance);
  } catch {
    warn();
    throw unsigned();
  }
}

const unsigned = () => invalid('This is not signed by the payment service, or was signed too long ago.');

/** The subscription that an event changes; undefined for events of which nothing comes here. */
function subscriptionOf(event: Stripe.Event): string | undefined {
  switch (event.type) {
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
      return event.data.object.id;
    case 'checkout.session.completed':
      return idOf(event.data.object.subscription);
    case 'invoice.paid':
    case 'invoice.payment_failed':
      return idOf(
        event.data.object.parent?.subscription_details?.subscription ?? subscriptionBefore2025(event.data.object),
      );
    default:
      return undefined;
  }
}

/** The version of an event is that of the webhook endpoint, which may be older than ours. */
function subscriptionBefore2025(invoice: object): string | { id: string } | undefined {
  return 'subscription' in invoice ? (invoice.subscription as string | { id: string }) : undefined;
}

const idOf = (subscription: string | { id: string } | null | undefined) =>
  typeof subscription === 'object' ? subscription?.id : subscription;
