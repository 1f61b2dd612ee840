import { randomBytes } from 'node:crypto';
import type { Subscription } from '#shared/newsletter.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { countUse } from '../throttle/throttle.ts';
import { deleteSubscription, endByEmail, findSubscription, insertSubscription, renewSubscription } from './store.ts';

/** From one address in an hour: an office behind one address signs in unhindered. */
export const subscriptionsPerHour = 300;

/**
 * Subscribes an address, once however often it is asked. Every sign-in with Google asks: an address that has unsubscribed stays so.
 * Throws 429 when there were too many from one place.
 */
export async function subscribe(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { email, firstName }: Subscription,
  address: string,
): Promise<void> {
  const sentence = 'Too many subscriptions from this address. Please try again later.';
  await countUse(db, { key: `newsletter:${address}`, maxPerHour: subscriptionsPerHour, sentence }, now());
  await insertSubscription(db, { email, firstName: firstName || null, token: newToken(), now: now() });
}

/** What the owner of an address says of it, which counts whatever was before. */
export async function changeSubscription(db: Db, email: string, subscribed: boolean, now: Date): Promise<void> {
  if (!subscribed) return await endByEmail(db, email, now);
  await db.transaction().execute(async (trx) => {
    await insertSubscription(trx, { email, firstName: null, token: newToken(), now });
    await renewSubscription(trx, email, now);
  });
}

export async function isSubscribed(db: Db, email: string): Promise<boolean> {
  const found = await findSubscription(db, email);
  return found !== undefined && found.unsubscribedAt === null;
}

/** What is kept of an address; undefined for nothing. */
export function subscriptionOf(db: Db, email: string) {
  return findSubscription(db, email);
}

/** With an account goes what is kept of its address. */
export async function forgetSubscription(db: Db, email: string): Promise<void> {
  await deleteSubscription(db, email);
}

const newToken = () => randomBytes(24).toString('base64url');
