import Stripe from 'stripe';
import type { Subscription } from '#shared/accounts/subscriptions.ts';
import type { Config, StripeConfig } from '../../config.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { withElapsedPeriods } from './simulated.ts';
import { findCustomerOfUser, findSubscription } from './store.ts';
import { requestSync } from './sync.ts';

/** The version of Stripe's API that this code is written for. Change it together with the version of the package. */
const apiVersion = '2026-10-28.endive';

/** Creates the Stripe client; undefined if checkouts are simulated. */
export function createStripeClient({ stripe }: Pick<Config, 'stripe'>): Stripe | undefined {
  if (!stripe) return undefined;
  return new Stripe(stripe.secretKey, {
    apiVersion,
    // A user is waiting, so there is only one retry. The package repeats it with the same idempotency key.
    timeout: 8000,
    maxNetworkRetries: 1,
    telemetry: false,
    ...toHostOptions(stripe),
  });
}

function toHostOptions({ apiUrl }: StripeConfig): Stripe.StripeConfig {
  if (!apiUrl) return {};
  const { protocol, hostname, port } = new URL(apiUrl);
  const http = protocol === 'http:';
  return { protocol: http ? 'http' : 'https', host: hostname, port: port || (http ? 80 : 443) };
}

/** Returns the user's subscription; null without one. */
export async function readSubscription(
  { db, now }: Pick<Context, 'db' | 'now'>,
  userId: number,
): Promise<Subscription | null> {
  const found = withElapsedPeriods(await findSubscription(db, userId), now());
  if (!found) return null;
  const { tier, status, nextTier, periodEndsAt, provider } = found;
  return { tier, status, nextTier, periodEndsAt: periodEndsAt.toISOString(), simulated: provider === 'simulated' };
}

/** Returns the stored subscription for the account export, without Stripe's ids; null without one. */
export async function exportSubscription(db: Db, userId: number) {
  const found = await findSubscription(db, userId);
  if (!found) return null;
  const { customerId: _, subscriptionId: __, ...stored } = found;
  return stored;
}

/**
 * Queues a job, in the transaction that deletes an account. The job expires open checkouts and deletes the customer at
 * Stripe, which cancels the subscription at once. The deletion does not wait for Stripe.
 */
export async function endPayments({ jobs }: Pick<Context, 'jobs'>, trx: Db, userId: number): Promise<void> {
  const customer = await findCustomerOfUser(trx, userId);
  if (customer) await requestSync(jobs, customer.customerId, trx);
}
