import Stripe from 'stripe';
import type { Context } from '../context.ts';
import { job } from '../job.ts';
import { expireSession } from './end-payments.ts';
import { expireQueue, givenUpQueue, settleQueue } from './queues.ts';
import { settle } from './settle.ts';
import { listPast } from './store.ts';
import { deleteOldCheckouts, deleteOldEvents } from './store-stripe.ts';
import { reasonOf } from './stripe.ts';

/** After an event, when an account goes, and where what is kept here is not what Stripe says. */
export const settleJob = job<{ subscriptionId: string }>({
  queue: settleQueue,
  run: (context, { subscriptionId }) => told(settle(context, stripeOf(context), subscriptionId)),
});

export const expireJob = job<{ sessionId: string }>({
  queue: expireQueue,
  run: (context, { sessionId }) => told(expireSession(stripeOf(context), sessionId)),
});

const day = 86_400_000;

/**
 * Stripe sends an event again for three days; events are kept longer for whoever asks what happened. A checkout is kept for more
 * than a year: where no event arrived, the next one that can tell of its payment is that of a renewal.
 * Of a subscription whose period has been over for a day, Stripe is asked what has become of it.
 */
export const tidyPaymentsJob = job<object>({
  queue: { name: 'tidy-payments', retryLimit: 0 },
  cron: '17 3 * * *',
  run: async ({ db, jobs, now, stripe }) => {
    await deleteOldEvents(db, new Date(now().getTime() - 90 * day));
    await deleteOldCheckouts(db, new Date(now().getTime() - 400 * day));
    if (!stripe) return;
    const past = await listPast(db, new Date(now().getTime() - day));
    for (const subscriptionId of past) await jobs.send(settleQueue.name, { subscriptionId });
  },
});

/** Only an operator can do it now: a payment is not written down, or an account that is gone is still paid for. */
export const paymentGivenUpJob = job<{ subscriptionId?: string; sessionId?: string }>({
  queue: givenUpQueue,
  run: async ({ log }, { subscriptionId, sessionId }) =>
    log.error(
      { subscriptionId, sessionId },
      'Stripe did not do it for more than a week and is asked no more: look this up in its dashboard, and end it where its account is gone',
    ),
});

function stripeOf({ stripe }: Context): Stripe {
  if (!stripe) throw new Error('STRIPE_SECRET_KEY is not set any more, and somebody still pays.');
  return stripe;
}

/** What a job ends with is kept: Stripe's own words repeat what was sent. */
async function told(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const { type, code, statusCode } = reasonOf(error);
    throw new Error(`Stripe did not do it: ${[type, code, statusCode].filter(Boolean).join(' ')}`);
  }
}
