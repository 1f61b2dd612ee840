import Stripe from 'stripe';
import { job } from '../jobs/job.ts';
import { listCustomerIds } from './store.ts';
import { reasonOf } from './stripe.ts';
import { givenUpQueue, requestSync, syncCustomer, syncQueue } from './sync.ts';

/** After an event, when an account is deleted, and every night. */
export const syncPaymentsJob = job<{ customerId: string }>({
  queue: syncQueue,
  run: async (context, { customerId }) => {
    const { stripe } = context;
    if (!stripe) throw new Error('STRIPE_SECRET_KEY is not set any more, and somebody may still pay.');
    try {
      await syncCustomer(context, stripe, customerId);
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError)) throw error;
      // The reason of a failed job is stored: Stripe's own message repeats what was sent.
      const { type, code, statusCode } = reasonOf(error);
      throw new Error(`Stripe did not do it: ${[type, code, statusCode].filter(Boolean).join(' ')}`);
    }
  },
});

/** Compares each customer with Stripe, so that a lost event matters for a day at most. */
export const checkPaymentsJob = job<object>({
  queue: { name: 'tidy-payments', retryLimit: 0 },
  cron: '17 3 * * *',
  run: async ({ db, jobs, stripe }) => {
    if (!stripe) return;
    for (const customerId of await listCustomerIds(db)) await requestSync(jobs, customerId);
  },
});

/** Only an operator can do it now: a payment is not saved, or a deleted account still pays. */
export const paymentGivenUpJob = job<{ customerId: string }>({
  queue: givenUpQueue,
  run: async ({ log }, { customerId }) =>
    log.error(
      { customerId },
      'Stripe did not do it for more than a week and is asked no more: look this customer up in its dashboard, and delete it where its account is gone',
    ),
});
