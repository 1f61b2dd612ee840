import Stripe from 'stripe';
import type { Subscription } from '#shared/subscriptions.ts';
import type { Config, StripeConfig } from '../config.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { withElapsedPeriods } from './simulated.ts';
import { findCustomerOfUser, findSubscription } from './store.ts';
import { requestSync } from './sync.ts';

/** The version of Stripe's API whose fields are read and written. Another one comes with another version of the package. */
const apiVersion = '2026-10-28.endive';

/** The payment service; undefined where checkouts are simulated. */
export function openStripe({ stripe }: Pick<Config, 'stripe'>): Stripe | undefined {
  if (!stripe) return undefined;
  return new Stripe(stripe.secretKey, {
    apiVersion,
    // A person waits: one try and another, which the package makes under the same idempotency key.
    timeout: 8000,
    maxNetworkRetries: 1,
    telemetry: false,
    ...addressOf(stripe),
  });
}

function addressOf({ apiUrl }: StripeConfig): Stripe.StripeConfig {
  if (!apiUrl) return {};
  const { protocol, hostname, port } = new URL(apiUrl);
  const http = protocol === 'http:';
  return { protocol: http ? 'http' : 'https', host: hostname, port: port || (http ? 80 : 443) };
}

/** What the person pays for; null for nearly everybody. */
export async function readSubscription(
  { db, now }: Pick<Context, 'db' | 'now'>,
  userId: number,
): Promise<Subscription | null> {
  const found = withElapsedPeriods(await findSubscription(db, userId), now());
  if (!found) return null;
  const { tier, status, nextTier, periodEndsAt, provider } = found;
  return { tier, status, nextTier, periodEndsAt: periodEndsAt.toISOString(), simulated: provider === 'simulated' };
}

/** What is stored about what the person pays for, without the ids at Stripe; null for nothing. */
export async function exportSubscription(db: Db, userId: number) {
  const found = await findSubscription(db, userId);
  if (!found) return null;
  const { customerId: _, subscriptionId: __, ...stored } = found;
  return stored;
}

/**
 * Called while an account is deleted. Afterwards a job expires every open checkout and deletes the customer at Stripe, which
 * cancels what is paid for at once: a deletion does not wait for Stripe.
 */
export async function endPayments({ jobs }: Pick<Context, 'jobs'>, trx: Db, userId: number): Promise<void> {
  const customer = await findCustomerOfUser(trx, userId);
  if (customer) await requestSync(jobs, customer.customerId, trx);
}
