import { randomBytes } from 'node:crypto';
import type { Subscription } from '#shared/newsletter.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { countUse } from '../throttle/throttle.ts';
import { deleteSubscription, unsubscribeByEmail, findSubscription, insertSubscription, upsertSubscription } from './store.ts';

/** Subscriptions from one network in an hour: an office behind one address signs in unhindered. */
export const subscriptionsPerHour = 300;

/**
 * Subscribes an email address, unless it is subscribed or has unsubscribed: every sign-in with Google calls this. Throws 429 after
 * too many calls from one network.
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

/** Subscribes or unsubscribes the address of an account. The owner's choice replaces any earlier one. */
export async function changeSubscription(db: Db, email: string, subscribed: boolean, now: Date): Promise<void> {
  if (subscribed) await upsertSubscription(db, { email, firstName: null, token: newToken(), now });
  else await unsubscribeByEmail(db, email, now);
}

export async function isSubscribed(db: Db, email: string): Promise<boolean> {
  const found = await findSubscription(db, email);
  return found !== undefined && found.unsubscribedAt === null;
}

/** The stored subscription of an address. */
export const findNewsletterSubscription = findSubscription;

/** Deletes the subscription of a deleted account's address. */
export const deleteNewsletterSubscription = deleteSubscription;

const newToken = () => randomBytes(24).toString('base64url');
