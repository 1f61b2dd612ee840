import Stripe from 'stripe';
import * as z from 'zod/mini';
import type { Context } from '../../context.ts';
import { job, PermanentJobError } from '../../platform/jobs/job.ts';
import { findCustomer, listCustomerIds } from './store.ts';
import { getLoggableError, getStripeId, undefinedIfMissing } from './stripe.ts';
import { deadLetterQueue, expireSession, requestSync, syncCustomer, syncQueue } from './sync.ts';

/** Queued after a webhook event, when an account is deleted, and every night. */
export const syncPaymentsJob = job<{ customerId: string }>({
  queue: syncQueue,
  run: (context, { customerId }) => withStripe(context, (stripe) => syncCustomer(context, stripe, customerId)),
});

/** The metadata that version 0.1 set on its subscriptions. */
const LegacyMetadata = z.object({ checkout: z.uuid() });

/**
 * Jobs that version 0.1 queued for a subscription, after an event or because its account was deleted. This version
 * cannot tell a deleted account from one of another installation that shares the Stripe account, so an operator
 * decides.
 */
export const legacySubscriptionJob = job<{ subscriptionId: string }>({
  queue: { ...syncQueue, name: 'stripe-settle' },
  run: (context, { subscriptionId }) =>
    withStripe(context, async (stripe) => {
      const subscription = await undefinedIfMissing(stripe.subscriptions.retrieve(subscriptionId));
      if (!subscription) return;
      const customerId = getStripeId(subscription.customer);
      if (await findCustomer(context.db, customerId)) return await requestSync(context.jobs, customerId);
      if (subscription.status === 'canceled' || !LegacyMetadata.safeParse(subscription.metadata).success) return;
      throw new PermanentJobError('The customer of this subscription has no account here.');
    }),
});

/** Jobs that version 0.1 queued to expire a checkout. */
export const legacyCheckoutJob = job<{ sessionId: string }>({
  queue: { ...syncQueue, name: 'stripe-expire' },
  run: (context, { sessionId }) => withStripe(context, (stripe) => expireSession(stripe, sessionId)),
});

async function withStripe({ stripe }: Context, run: (stripe: Stripe) => Promise<void>): Promise<void> {
  if (!stripe) throw new Error('STRIPE_SECRET_KEY is not set, but this customer may still be paying. Set it again.');
  try {
    await run(stripe);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    // The error of a failed job is stored, and Stripe's message may repeat data from the request.
    const { type, code, statusCode } = getLoggableError(error);
    throw new Error(`The request to Stripe failed: ${[type, code, statusCode].filter(Boolean).join(' ')}`);
  }
}

/** Syncs every customer with Stripe, so that a lost event has no effect after a day at most. */
export const nightlySyncJob = job<object>({
  queue: { name: 'tidy-payments', retryLimit: 0 },
  cron: '17 3 * * *',
  run: async ({ db, jobs, stripe }) => {
    if (!stripe) return;
    for (const customerId of await listCustomerIds(db)) await requestSync(jobs, customerId);
  },
});

/**
 * Runs after a sync has failed too often. A payment is not saved or a deleted account still pays, so it asks an
 * operator to act.
 */
export const paymentDeadLetterJob = job<{ customerId?: string; subscriptionId?: string; sessionId?: string }>({
  queue: deadLetterQueue,
  run: async ({ log }, ids) =>
    log.error(
      ids,
      'a payment needs an operator: look it up in the Stripe dashboard, and delete the customer if their account is gone',
    ),
});
