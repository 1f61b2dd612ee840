import { fromKysely, type PgBoss } from 'pg-boss';
import type Stripe from 'stripe';
import { PaidTier, type Tier } from '#shared/subscriptions.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import {
  deleteCustomer,
  deleteSubscription,
  findCustomer,
  lockSync,
  type StoredSubscription,
  saveSubscription,
} from './store.ts';
import { idOf, isInvalidRequest, tierOf, undefinedIfMissing } from './stripe.ts';

/** Where a job ends that failed for more than a week. */
export const deadLetterQueue = { name: 'stripe-given-up' };

/** While Stripe is away, the job is retried after seconds, then minutes, then every hour: for more than a week. */
export const syncQueue = {
  name: 'stripe-sync',
  retryLimit: 200,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 3600,
  expireInSeconds: 120,
  deadLetter: deadLetterQueue.name,
};

/** Has a job compare what is saved of a customer with Stripe; with `trx`, once that is committed. */
export async function requestSync(jobs: PgBoss, customerId: string, trx?: Db): Promise<void> {
  await jobs.send(syncQueue.name, { customerId }, trx && { db: fromKysely(trx) });
}

/**
 * Saves what a customer pays for now, as Stripe has it. A customer whose account was deleted is deleted at Stripe, which cancels
 * what they pay for at once. A customer that is not ours is left alone. Safe to run twice. Throws when Stripe is away.
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
      // The checkouts first: what is paid before they expire is cancelled with the customer.
      for (const { id } of await listOpenSessions(stripe, customerId)) await expireSession(stripe, id);
      await undefinedIfMissing(stripe.customers.del(customerId));
      return await deleteCustomer(trx, customerId);
    }
    const subscriptions = await listSubscriptions(stripe, customerId);
    // Someone deleted it there, or the server has another key, perhaps for a while.
    if (!subscriptions) log.warn({ customerId }, 'Stripe does not know this customer any more');
    const [current, ...others] = subscriptions ?? [];
    if (others.length > 0) {
      log.error({ customerId }, 'a customer pays for more than one subscription: cancel the others at Stripe');
    }
    if (current) await saveSubscription(trx, customer.userId, await toStoredSubscription(stripe, current));
    else await deleteSubscription(trx, customer.userId, 'stripe');
  });
}

/** The checkouts that a customer can still pay. */
export async function listOpenSessions(stripe: Stripe, customerId: string): Promise<Stripe.Checkout.Session[]> {
  const open = stripe.checkout.sessions.list({ customer: customerId, status: 'open', limit: 100 });
  return (await undefinedIfMissing(open))?.data ?? [];
}

/** Afterwards nobody can pay this checkout. One that was paid stays paid. */
export async function expireSession(stripe: Stripe, sessionId: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(sessionId);
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
  }
}

/** https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses: the others are not paid yet, or have ended. */
const statuses = new Map<string, 'active' | 'overdue'>([
  ['active', 'active'],
  ['trialing', 'active'],
  ['past_due', 'overdue'],
  ['unpaid', 'overdue'],
  ['paused', 'overdue'],
]);

/** What a customer pays for, the newest first; undefined where Stripe does not know the customer. */
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

/** What one of `listSubscriptions` is here. */
export async function toStoredSubscription(
  stripe: Stripe,
  subscription: Stripe.Subscription,
): Promise<StoredSubscription> {
  const { id, cancel_at, cancel_at_period_end, created, customer, metadata } = subscription;
  const [item] = subscription.items.data;
  const tier = (item && tierOf(item.price)) ?? PaidTier.safeParse(metadata.tier).data ?? 'standard';
  const periodEnd = item?.current_period_end ?? cancel_at ?? created;
  const planned = await scheduledTier(stripe, subscription, periodEnd);
  const nextTier: Tier | undefined = planned ?? (cancel_at_period_end || cancel_at ? 'free' : undefined);
  const isEnding = nextTier !== undefined && nextTier !== tier;
  return {
    provider: 'stripe',
    tier,
    // Overdue or not: the person was told that the payment failed, and what is planned can be undone.
    status: isEnding ? 'ending' : (statuses.get(subscription.status) ?? 'overdue'),
    nextTier: isEnding ? nextTier : null,
    periodEndsAt: new Date(periodEnd * 1000),
    startedAt: new Date(created * 1000),
    customerId: idOf(customer),
    subscriptionId: id,
  };
}

/** The portal schedules a lower plan for the end of the period: as another phase of the subscription. */
async function scheduledTier(
  stripe: Stripe,
  { schedule }: Stripe.Subscription,
  periodEnd: number,
): Promise<PaidTier | undefined> {
  if (!schedule || typeof schedule === 'string') return undefined;
  const price = schedule.phases.find(({ start_date }) => start_date >= periodEnd)?.items[0]?.price;
  return price ? tierOf(await stripe.prices.retrieve(idOf(price))) : undefined;
}
