import { fromKysely } from 'pg-boss';
import Stripe from 'stripe';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { expireQueue, settleQueue } from './queues.ts';
import { findSubscription } from './store.ts';
import { listSessions } from './store-stripe.ts';

/** A session of Stripe ends after a day by itself. */
const sessionLength = 24 * 3_600_000;

/**
 * Called while an account is deleted: once that is done, what the person pays for is cancelled, and what they have begun to pay for
 * cannot be paid any more. Jobs, which ask Stripe until it has happened: a deletion waits for nobody.
 */
export async function endPayments(
  { jobs, now }: Pick<Context, 'jobs' | 'now'>,
  trx: Db,
  userId: number,
): Promise<void> {
  const db = fromKysely(trx);
  const subscription = await findSubscription(trx, userId);
  // Its account is gone when it is settled, and so it is cancelled.
  if (subscription?.subscriptionId) {
    await jobs.send(settleQueue.name, { subscriptionId: subscription.subscriptionId }, { db });
  }
  await endSessions({ jobs, now }, trx, userId);
}

/** What the person has begun to pay for cannot be paid any more, but for the session `kept`. */
export async function endSessions(
  { jobs, now }: Pick<Context, 'jobs' | 'now'>,
  trx: Db,
  userId: number,
  kept?: string | null,
): Promise<void> {
  const sessions = await listSessions(trx, userId, new Date(now().getTime() - sessionLength));
  for (const sessionId of sessions) {
    if (sessionId !== kept) await jobs.send(expireQueue.name, { sessionId }, { db: fromKysely(trx) });
  }
}

/** One that was paid or is over stays so: of a paid one an event tells. */
export async function expireSession(stripe: Stripe, sessionId: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(sessionId);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  }
}
