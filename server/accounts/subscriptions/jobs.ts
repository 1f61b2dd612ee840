import Stripe from 'stripe';
import type { Context } from '../../context.ts';
import { job } from '../../platform/jobs/job.ts';
import { listCustomerIds } from './store.ts';
import { getLoggableError } from './stripe.ts';
import { deadLetterQueue, requestSync, syncCustomer, syncQueue } from './sync.ts';

/** Queued after a webhook event, when an account is deleted, and every night. */
export const syncPaymentsJob = job<{ customerId: string }>({
  queue: syncQueue,
  run: (context, { customerId }) => withStripe(context, (stripe) => syncCustomer(context, stripe, customerId)),
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
export const paymentDeadLetterJob = job<{ customerId: string }>({
  queue: deadLetterQueue,
  run: async ({ log }, { customerId }) =>
    log.error(
      { customerId },
      'a payment needs an operator: look it up in the Stripe dashboard, and delete the customer if their account is gone',
    ),
});
