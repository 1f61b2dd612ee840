import { randomBytes } from 'node:crypto';
import type { NewsletterSubscription } from '#shared/accounts/newsletter.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { recordUse } from '../../platform/throttle/throttle.ts';
import { findSubscription, insertSubscription, unsubscribeByEmail, upsertSubscription } from './store.ts';

/** Per network. High enough for an office behind one IP address. */
export const maxSubscriptionsPerHour = 300;

/**
 * Subscribes an email address. Does nothing if it is already subscribed or has unsubscribed, because every sign-in with
 * Google calls this.
 * @throws 429 after too many calls from one network
 */
export async function subscribe(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { email, firstName }: NewsletterSubscription,
  network: string,
): Promise<void> {
  const limitMessage = 'Too many subscriptions from this network. Please try again later.';
  await recordUse(db, { key: `newsletter:${network}`, maxPerHour: maxSubscriptionsPerHour, limitMessage }, now());
  await insertSubscription(db, { email, firstName: firstName || null, token: newToken(), now: now() });
}

/** Subscribes or unsubscribes the email address of an account, regardless of its current state. */
export async function updateNewsletterSubscription(
  db: Db,
  email: string,
  subscribed: boolean,
  now: Date,
): Promise<void> {
  if (subscribed) await upsertSubscription(db, { email, firstName: null, token: newToken(), now });
  else await unsubscribeByEmail(db, email, now);
}

export async function isSubscribed(db: Db, email: string): Promise<boolean> {
  const found = await findSubscription(db, email);
  return found !== undefined && found.unsubscribedAt === null;
}

const newToken = () => randomBytes(24).toString('base64url');
