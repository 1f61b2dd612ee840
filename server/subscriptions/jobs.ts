import Stripe from 'stripe';
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import { job, PermanentJobError } from '../jobs/job.ts';
import { findCustomer, listCustomerIds } from './store.ts';
import { getLoggableError, idOf, undefinedIfMissing } from './stripe.ts';
import { deadLetterQueue, expireSession, requestSync, syncCustomer, syncQueue } from './sync.ts';

/** After an event, when an account is deleted, and every night. */
export const syncPaymentsJob = job<{ customerId: string }>({
  queue: syncQueue,
  run: (context, { customerId }) => withStripe(context, (stripe) => syncCustomer(context, stripe, customerId)),
});

const ofOurs = z.object({ checkout: z.uuid() });

/**
 * What version 0.1 queued about a subscription: after an event, or to cancel it because its account was deleted. Of a deleted
 * account this version knows nothing, and another installation may use the same account at Stripe: so an operator decides.
 */
export const legacySubscriptionJob = job<{ subscriptionId: string }>({
  queue: { ...syncQueue, name: 'stripe-settle' },
  run: (context, { subscriptionId }) =>
    withStripe(context, async (stripe) => {
      const subscription = await undefinedIfMissing(stripe.subscriptions.retrieve(subscriptionId));
      if (!subscription) return;
      const customerId = idOf(subscription.customer);
      if (await findCustomer(context.db, customerId)) return await requestSync(context.jobs, customerId);
      if (subscription.status === 'canceled' || !ofOurs.safeParse(subscription.metadata).success) return;
      throw new PermanentJobError('The customer of this subscription has no account here.');
    }),
});

/** What version 0.1 queued about a checkout that nobody must pay any more. */
export const legacyCheckoutJob = job<{ sessionId: string }>({
  queue: { ...syncQueue, name: 'stripe-expire' },
  run: (context, { sessionId }) => withStripe(context, (stripe) => expireSession(stripe, sessionId)),
});

async function withStripe({ stripe }: Context, run: (stripe: Stripe) => Promise<void>): Promise<void> {
  if (!stripe) throw new Error('STRIPE_SECRET_KEY is not set any more, and somebody may still pay.');
  try {
    await run(stripe);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    // The reason of a failed job is stored: Stripe's own message repeats what was sent.
    const { type, code, statusCode } = getLoggableError(error);
    throw new Error(`Stripe did not do it: ${[type, code, statusCode].filter(Boolean).join(' ')}`);
  }
}

/** Compares each customer with Stripe, so that a lost event matters for a day at most. */
export const nightlySyncJob = job<object>({
  queue: { name: 'tidy-payments', retryLimit: 0 },
  cron: '17 3 * * *',
  run: async ({ db, jobs, stripe }) => {
    if (!stripe) return;
    for (const customerId of await listCustomerIds(db)) await requestSync(jobs, customerId);
  },
});

/** Only an operator can do it now: a payment is not saved, or a deleted account still pays. */
export const paymentDeadLetterJob = job<{ customerId?: string; subscriptionId?: string; sessionId?: string }>({
  queue: deadLetterQueue,
  run: async ({ log }, ids) =>
    log.error(
      ids,
      'a payment needs an operator: look this up in the dashboard of Stripe, and delete the customer if their account is gone',
    ),
});
