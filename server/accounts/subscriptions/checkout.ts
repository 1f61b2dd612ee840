import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import type * as z from 'zod/mini';
import {
  type Checkout,
  type PaidTier,
  plans,
  type TestCheckout,
  type TestCheckoutResult,
  type Tier,
} from '#shared/accounts/subscriptions.ts';
import type { Context } from '../../context.ts';
import { conflict, invalidField, unauthorized, unavailable } from '../../platform/http/errors.ts';
import { isMailbox } from '../../platform/mail/mail.ts';
import { recordUse } from '../../platform/throttle/throttle.ts';
import { getAccount } from '../accounts/accounts.ts';
import { costsMore, createPortalUrl } from './portal.ts';
import { deleteCustomer, findCustomerOfUser, insertCustomer, replaceSession, type StoredCustomer } from './store.ts';
import { callStripe, findOrCreatePrices } from './stripe.ts';
import { expireSession, listOpenSessions, listSubscriptions, requestSync, toStoredSubscription } from './sync.ts';

/** Checkouts and plan changes per user, because Stripe's rate limit applies to all users together. */
export const maxPaymentRequestsPerHour = 60;

/** Records a request that calls Stripe. @throws 429 if the user made too many in the last hour */
export function recordPaymentRequest({ db, now }: Pick<Context, 'db' | 'now'>, userId: number): Promise<void> {
  const limitMessage = 'Too many checkouts and plan changes. Please try again in an hour.';
  return recordUse(db, { key: `payments:${userId}`, maxPerHour: maxPaymentRequestsPerHour, limitMessage }, now());
}

/**
 * Starts a checkout and returns the URL where the user pays: Stripe's checkout, or without Stripe the simulated one. If
 * the user already pays for a lower plan, it is the URL of Stripe's customer portal.
 * @param origin scheme, host and port that Stripe redirects back to
 * @throws 409 if the user already pays for this plan or a higher one, 429 after too many requests and 503 if Stripe is
 *   not available
 */
export async function startCheckout(context: Context, userId: number, tier: Tier, origin: string): Promise<Checkout> {
  if (tier === 'free') return { direct: true, url: '/account' };
  const { stripe } = context;
  if (!stripe) {
    return { direct: false, url: `/simulate-checkout?${new URLSearchParams({ tier, userId: String(userId) })}` };
  }
  await recordPaymentRequest(context, userId);
  return {
    direct: false,
    url: await callStripe(context, () => createCheckout(context, stripe, { userId, tier, origin })),
  };
}

/**
 * A user has at most one open checkout, and none while they pay for a plan, so that no one pays twice. A second request
 * reuses the open checkout unless the plan or the origin differs; then it is replaced.
 */
async function createCheckout(
  context: Context,
  stripe: Stripe,
  { userId, tier, origin }: { userId: number; tier: PaidTier; origin: string },
): Promise<string> {
  const { db, jobs, now } = context;
  const customer = await findOrCreateCustomer(context, stripe, userId);
  const { customerId, sessionId } = customer;
  const success_url = `${origin}/account?subscription=success`;
  const inAnHour = now().getTime() / 1000 + 3600;
  const open = await listOpenSessions(stripe, customerId);
  const reusable = open.filter(
    ({ metadata, success_url: url, expires_at }) =>
      metadata?.tier === tier && url === success_url && expires_at > inAnHour,
  );
  const same = reusable.find(({ id }) => id === sessionId) ?? reusable[0];
  if (same && !(await replaceSession(db, customer, same.id))) {
    return await createCheckout(context, stripe, { userId, tier, origin });
  }
  for (const { id } of open) if (id !== same?.id) await expireSession(stripe, id);
  // Checked after expiring the sessions, because one of them may just have been paid.
  const subscriptions = await listSubscriptions(stripe, customerId);
  if (!subscriptions) {
    // The customer was deleted at Stripe, or the server uses another key now.
    await deleteCustomer(db, customerId);
    throw unavailable('Your payment account was not found. Please try again.');
  }
  const [subscription] = subscriptions;
  if (subscription) {
    await requestSync(jobs, customerId);
    const current = (await toStoredSubscription(stripe, subscription)).tier;
    if (costsMore(tier, current))
      return await createPortalUrl(context, stripe, { subscription, current, tier, origin });
    throw conflict(`You already pay for the ${plans[current].name} plan. You can change it on your account page.`);
  }
  if (same?.url) return same.url;
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ quantity: 1, price: (await findOrCreatePrices(stripe))[tier] }],
    customer: customerId,
    client_reference_id: String(userId),
    metadata: { userId, tier },
    subscription_data: { metadata: { userId } },
    success_url,
    cancel_url: `${origin}/pricing?subscription=canceled`,
  });
  if (!session.url) throw new Error('Stripe returned a checkout session without a URL.');
  if (await replaceSession(db, customer, session.id)) return session.url;
  // Another request was faster, or the account was deleted.
  await expireSession(stripe, session.id);
  return await createCheckout(context, stripe, { userId, tier, origin });
}

/**
 * Returns the user's Stripe customer, which is created before the first checkout.
 * @throws 401 if the account was just deleted
 */
async function findOrCreateCustomer(
  { db }: Pick<Context, 'db'>,
  stripe: Stripe,
  userId: number,
): Promise<StoredCustomer> {
  const { email } = await getAccount(db, userId);
  const found = await findCustomerOfUser(db, userId);
  if (found) return found;
  const { id } = await stripe.customers.create({ metadata: { userId }, ...(isMailbox(email) && { email }) });
  await insertCustomer(db, userId, id);
  const stored = await findCustomerOfUser(db, userId);
  if (stored?.customerId !== id) await stripe.customers.del(id);
  if (!stored) throw unauthorized();
  return stored;
}

/** Test checkouts per client network. */
const maxTestCheckoutsPerHour = 100;

/**
 * Creates a test checkout, which never activates a subscription.
 * @param origin scheme, host and port of this site
 * @param network the client network, for the rate limit
 * @throws 400 for URLs of other sites, 429 after too many test checkouts and 503 if Stripe is not available
 */
export async function testCheckout(
  context: Context,
  { tier, email, successUrl, cancelUrl }: z.infer<typeof TestCheckout>,
  origin: string,
  network: string,
): Promise<z.infer<typeof TestCheckoutResult>> {
  const limitMessage = 'Too many test checkouts from this address. Please try again later.';
  await recordUse(
    context.db,
    { key: `test-checkout:${network}`, maxPerHour: maxTestCheckoutsPerHour, limitMessage },
    context.now(),
  );
  const success = resolveOwnUrl(successUrl, origin, 'successUrl');
  const cancel = resolveOwnUrl(cancelUrl, origin, 'cancelUrl');
  if (tier === 'free') return { success: true, direct: true, url: success };
  const { stripe, config } = context;
  if (!stripe || !config.stripe) {
    const sessionId = `cs_simulated_${randomBytes(12).toString('hex')}`;
    return { success: true, url: `/simulate-checkout?tier=${tier}`, sessionId };
  }
  if (!/^(sk|rk)_test_/.test(config.stripe.secretKey)) {
    const message = 'This server uses a live Stripe key. A test checkout needs a test key, such as sk_test_….';
    return { success: false, message };
  }
  // The session has no customer of ours, so paying it activates nothing.
  const { id, url } = await callStripe(context, async () =>
    stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ quantity: 1, price: (await findOrCreatePrices(stripe))[tier] }],
      customer_email: email,
      success_url: success,
      cancel_url: cancel,
    }),
  );
  return { success: true, sessionId: id, ...(url && { url }) };
}

/** Resolves the address of a page on this site. @throws 400 for other sites, which a checkout must not redirect to */
function resolveOwnUrl(address: string, origin: string, field: string): string {
  const url = URL.canParse(address, origin) ? new URL(address, origin) : undefined;
  if (url?.origin === origin) return url.href;
  throw invalidField(field, 'This URL must be a page of this site.');
}
