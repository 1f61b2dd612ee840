import { fromKysely } from 'pg-boss';
import type Stripe from 'stripe';
import type { PaidTier } from '#shared/subscriptions.ts';
import type { Context } from '../context.ts';
import { unauthorized } from '../http/errors.ts';
import { countAsking } from './count-asking.ts';
import { customerOf, keyOf } from './customer-of.ts';
import { priceOf, productNameOf } from './prices.ts';
import { expireQueue } from './queues.ts';
import { forgetCustomer } from './store-customers.ts';
import { closeCheckout, openCheckout, saveSession } from './store-stripe.ts';
import { askStripe, isFinal, isGone } from './stripe.ts';

/** A session of Stripe ends after a day: somebody gets one that they have an hour for at least. */
const reusedFor = 23 * 3_600_000;

/**
 * Begins a checkout at Stripe. Asked again (a second click, another try after a break) it is the same one, until it was paid,
 * refused, or nearly a day old. Throws 429 when the person asks too often, 503 when Stripe is away.
 * @returns where the person pays
 */
export async function beginSession(
  context: Context,
  stripe: Stripe,
  userId: number,
  tier: PaidTier,
  origin: string,
): Promise<string> {
  const { db } = context;
  const now = context.now();
  await countAsking(context, userId);
  const customer = await askStripe(context, customerOf(context, stripe, userId));
  const since = new Date(now.getTime() - reusedFor);
  const checkout = await db.transaction().execute((trx) => openCheckout(trx, userId, tier, since, now));
  const session: Stripe.Checkout.SessionCreateParams = {
    mode: 'subscription',
    line_items: [{ quantity: 1, price_data: { ...priceOf(tier), product_data: { name: productNameOf(tier) } } }],
    customer,
    client_reference_id: String(userId),
    metadata: { userId, tier, checkout },
    subscription_data: { metadata: { userId, tier, checkout } },
    success_url: `${origin}/account?subscription=success`,
    cancel_url: `${origin}/pricing?subscription=canceled`,
  };
  const { id, url } = await askStripe(context, create(context, stripe, userId, checkout, session));
  await keep(context, checkout, id);
  if (!url) throw new Error('Stripe has made a checkout without an address.');
  return url;
}

async function create(
  { db, now }: Context,
  stripe: Stripe,
  userId: number,
  checkout: string,
  session: Stripe.Checkout.SessionCreateParams,
): Promise<Stripe.Checkout.Session> {
  try {
    return await stripe.checkout.sessions.create(session, { idempotencyKey: keyOf(checkout, session) });
  } catch (error) {
    // It would answer the same for a day, its own faults too. Without an answer the session may be there, and is asked for again.
    if (isFinal(error)) await closeCheckout(db, checkout, now());
    // Somebody has deleted the customer at Stripe.
    if (isGone(error)) await forgetCustomer(db, userId);
    throw error;
  }
}

/** One session of a checkout can be paid; and none where the account went meanwhile, which throws 401. */
async function keep({ db, jobs }: Context, checkout: string, sessionId: string): Promise<void> {
  const isLeft = await db.transaction().execute(async (trx) => {
    const before = await saveSession(trx, checkout, sessionId);
    const isLeft = before?.userId == null;
    const over = isLeft ? [before?.sessionId, sessionId] : [before?.sessionId].filter((id) => id !== sessionId);
    for (const id of over) if (id) await jobs.send(expireQueue.name, { sessionId: id }, { db: fromKysely(trx) });
    return isLeft;
  });
  if (isLeft) throw unauthorized();
}
