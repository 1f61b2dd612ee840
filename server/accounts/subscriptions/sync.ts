import { fromKysely, type PgBoss } from 'pg-boss';
import type Stripe from 'stripe';
import { PaidTier, type Tier } from '#shared/accounts/subscriptions.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import {
  deleteCustomer,
  deleteSubscription,
  findCustomer,
  lockSync,
  type StoredSubscription,
  upsertSubscription,
} from './store.ts';
import { findTier, getStripeId, isInvalidRequest, undefinedIfMissing } from './stripe.ts';

/** Receives jobs that have failed for more than a week. */
export const deadLetterQueue = { name: 'stripe-given-up' };

/** Failed jobs are retried after seconds, then minutes, then every hour, for more than a week. */
export const syncQueue = {
  name: 'stripe-sync',
  retryLimit: 200,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 3600,
  expireInSeconds: 120,
  deadLetter: deadLetterQueue.name,
};

/** Queues a sync of a customer with Stripe; with `trx`, as part of that transaction. */
export async function requestSync(jobs: PgBoss, customerId: string, trx?: Db): Promise<void> {
  await jobs.send(syncQueue.name, { customerId }, trx && { db: fromKysely(trx) });
}

/**
 * Saves a customer's current subscription at Stripe. If the account was deleted, the customer is deleted at Stripe,
 * which cancels the subscription at once. Ignores unknown customers. Safe to run twice.
 * @throws if Stripe is not available
 */
export async function syncCustomer(
  { db, log }: Pick<Context, 'db' | 'log'>,
  stripe: Stripe,
  customerId: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockSync(trx);
    const customer = await findCustomer(trx, customerId);
    if (!customer) return;
    if (customer.userId === null) {
      // Checkouts must expire first: a payment until then is cancelled with the customer.
      for (const { id } of await listOpenSessions(stripe, customerId)) await expireSession(stripe, id);
      await undefinedIfMissing(stripe.customers.del(customerId));
      return await deleteCustomer(trx, customerId);
    }
    const subscriptions = await listSubscriptions(stripe, customerId);
    // The customer was deleted at Stripe, or the server uses another key, perhaps temporarily, so the customer stays
    // here.
    if (!subscriptions)
      log.warn(
        { customerId },
        'this customer does not exist at Stripe: it was deleted there, or STRIPE_SECRET_KEY belongs to another account',
      );
    const [current, ...others] = subscriptions ?? [];
    if (others.length > 0) {
      log.error({ customerId }, 'a customer pays for more than one subscription: cancel the others at Stripe');
    }
    if (current) await upsertSubscription(trx, customer.userId, await toStoredSubscription(stripe, current));
    else await deleteSubscription(trx, customer.userId, 'stripe');
  });
}

/** Lists the checkout sessions that a customer can still pay. */
export async function listOpenSessions(stripe: Stripe, customerId: string): Promise<Stripe.Checkout.Session[]> {
  const open = stripe.checkout.sessions.list({ customer: customerId, status: 'open', limit: 100 });
  return (await undefinedIfMissing(open))?.data ?? [];
}

/** Expires a checkout, so that it can no longer be paid. Does nothing if it was paid or has expired. */
export async function expireSession(stripe: Stripe, sessionId: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(sessionId);
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
  }
}

/**
 * Other statuses mean not paid yet or ended:
 * https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses
 */
const statuses = new Map<string, 'active' | 'overdue'>([
  ['active', 'active'],
  ['trialing', 'active'],
  ['past_due', 'overdue'],
  ['unpaid', 'overdue'],
  ['paused', 'overdue'],
]);

/** Lists the running subscriptions of a customer, newest first; undefined if the customer does not exist at Stripe. */
export async function listSubscriptions(
  stripe: Stripe,
  customerId: string,
): Promise<Stripe.Subscription[] | undefined> {
  const expand = ['subscriptions.data.schedule'];
  const customer = await undefinedIfMissing(stripe.customers.retrieve(customerId, { expand }));
  if (!customer || customer.deleted) return undefined;
  const running = customer.subscriptions?.data.filter(({ status }) => statuses.has(status)) ?? [];
  return running.sort((one, other) => other.created - one.created);
}

/** Converts a subscription from `listSubscriptions`. */
export async function toStoredSubscription(
  stripe: Stripe,
  subscription: Stripe.Subscription,
): Promise<StoredSubscription> {
  const { id, cancel_at, cancel_at_period_end, created, customer, metadata } = subscription;
  const [item] = subscription.items.data;
  const tier = (item && findTier(item.price)) ?? PaidTier.safeParse(metadata.tier).data ?? 'standard';
  const periodEnd = item?.current_period_end ?? cancel_at ?? created;
  const planned = await scheduledTier(stripe, subscription, periodEnd);
  const nextTier: Tier | undefined = planned ?? (cancel_at_period_end || cancel_at ? 'free' : undefined);
  const isEnding = nextTier !== undefined && nextTier !== tier;
  return {
    provider: 'stripe',
    tier,
    // A scheduled change hides that the payment is overdue: Stripe informs the user, and the change can still be
    // undone.
    status: isEnding ? 'ending' : (statuses.get(subscription.status) ?? 'overdue'),
    nextTier: isEnding ? nextTier : null,
    periodEndsAt: new Date(periodEnd * 1000),
    startedAt: new Date(created * 1000),
    customerId: getStripeId(customer),
    subscriptionId: id,
  };
}

/**
 * Returns the plan that the portal has scheduled for the end of the period, as another phase of the subscription's
 * schedule.
 */
async function scheduledTier(
  stripe: Stripe,
  { schedule }: Stripe.Subscription,
  periodEnd: number,
): Promise<PaidTier | undefined> {
  if (!schedule || typeof schedule === 'string') return undefined;
  const price = schedule.phases.find(({ start_date }) => start_date >= periodEnd)?.items[0]?.price;
  return price ? findTier(await stripe.prices.retrieve(getStripeId(price))) : undefined;
}
