import type Stripe from 'stripe';
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { endSessions } from './end-payments.ts';
import { endSubscription } from './end-subscription.ts';
import { deleteByStripesId, deleteSubscription, findSubscription, saveSubscription } from './store.ts';
import { closeCheckout, closeCheckouts, findCheckout, lockSettling } from './store-stripe.ts';
import { findAtStripe } from './stripe.ts';
import { stateOf } from './subscription-state.ts';

const Uuid = z.uuid();

/**
 * Brings what is kept of a subscription up to date with Stripe, which is asked for it: an event tells that something has
 * changed, and in which order events come says nothing. Of a person's two the newer stays, the older is cancelled; one whose
 * account is gone is cancelled; either is paid back as `end-subscription.ts` says. With the first payment of a checkout the
 * person's other ones end. What Stripe does not know is not kept. Safe to run twice. Throws when Stripe is away.
 */
export async function settle(
  { db, jobs, log, now }: Pick<Context, 'db' | 'jobs' | 'log' | 'now'>,
  stripe: Stripe,
  subscriptionId: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockSettling(trx);
    const subscription = await findAtStripe(stripe, subscriptionId);
    if (!subscription) {
      // As after a change from a test key to a live one. Who paid with the other is not to be held up by it.
      await deleteByStripesId(trx, subscriptionId);
      return log.warn({ subscriptionId }, 'Stripe knows no such subscription, and it is not kept here any more');
    }
    const checkout = await checkoutOf(trx, subscription);
    if (!checkout) return log.warn({ subscriptionId }, 'an event of Stripe is about nobody here');
    const isPaid = stateOf(subscription) !== undefined;
    const { userId } = checkout;
    if (userId !== null) await keep(trx, stripe, userId, subscription);
    else if (isPaid) await endSubscription(stripe, subscription, now());
    // Without its first payment it can still be paid on the same page.
    const isNew = subscription.status !== 'incomplete' && (await closeCheckout(trx, checkout.id, now()));
    if (!isPaid || !isNew || userId === null) return;
    await endSessions({ jobs, now }, trx, userId, checkout.sessionId);
    await closeCheckouts(trx, userId, now());
  });
}

/** Other sites may be paid through the same account of Stripe: only what was begun here is ours. */
async function checkoutOf(trx: Db, { metadata }: Stripe.Subscription) {
  const id = Uuid.safeParse(metadata.checkout);
  return id.success ? await findCheckout(trx, id.data) : undefined;
}

async function keep(trx: Db, stripe: Stripe, userId: number, subscription: Stripe.Subscription): Promise<void> {
  const kept = await findSubscription(trx, userId);
  const state = stateOf(subscription);
  if (!state) {
    if (kept?.subscriptionId === subscription.id) await deleteSubscription(trx, userId);
    return;
  }
  if (kept?.subscriptionId && kept.subscriptionId !== subscription.id) {
    if (kept.startedAt > state.startedAt) return await endSubscription(stripe, subscription, kept.startedAt);
    const older = await findAtStripe(stripe, kept.subscriptionId);
    if (older && stateOf(older)) await endSubscription(stripe, older, state.startedAt);
  }
  await saveSubscription(trx, userId, state);
}
