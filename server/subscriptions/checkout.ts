import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import type * as z from 'zod/mini';
import {
  type Checkout,
  type PaidTier,
  plans,
  type TestCheckout,
  type TestCheckoutAnswer,
  type Tier,
} from '#shared/subscriptions.ts';
import { getAccount } from '../accounts/accounts.ts';
import type { Context } from '../context.ts';
import { conflict, invalid, unauthorized, unavailable } from '../http/errors.ts';
import { isMailbox } from '../mail/mail.ts';
import { countUse } from '../throttle/throttle.ts';
import { costsMore, openPortal } from './portal.ts';
import { deleteCustomer, findCustomerOfUser, insertCustomer, replaceSession, type StoredCustomer } from './store.ts';
import { callStripe, findOrCreatePrices } from './stripe.ts';
import { expireSession, listOpenSessions, listSubscriptions, requestSync, toStoredSubscription } from './sync.ts';

/** Checkouts and changes of one person: Stripe limits all of us together. */
export const maxRequestsPerHour = 60;

/** Counts that Stripe is asked something for a person. Throws 429 when that was too often in the last hour. */
export function countRequest({ db, now }: Pick<Context, 'db' | 'now'>, userId: number): Promise<void> {
  const sentence = 'You have changed your plan very often. Please try again in an hour.';
  return countUse(db, { key: `payments:${userId}`, maxPerHour: maxRequestsPerHour, sentence }, now());
}

/**
 * Where the person pays for a plan; nobody has paid by it. Without Stripe that is the simulated checkout. Who pays for a lower plan
 * already changes it on Stripe's customer portal. Throws 409 for a plan that they pay for already, or a lower one, 429 when the
 * person asks too often, and 503 when Stripe is away.
 * @param origin where Stripe leads back to
 */
export async function startCheckout(context: Context, userId: number, tier: Tier, origin: string): Promise<Checkout> {
  if (tier === 'free') return { direct: true, url: '/account' };
  const { stripe } = context;
  if (!stripe) {
    return { direct: false, url: `/simulate-checkout?${new URLSearchParams({ tier, userId: String(userId) })}` };
  }
  await countRequest(context, userId);
  return { direct: false, url: await callStripe(context, () => createCheckout(context, stripe, userId, tier, origin)) };
}

/**
 * A person has one checkout that can be paid, and none while they pay for a plan: so nobody pays twice. A second click leads to the
 * same one; for another plan, or from another address of the site, it is replaced.
 */
async function createCheckout(
  context: Context,
  stripe: Stripe,
  userId: number,
  tier: PaidTier,
  origin: string,
): Promise<string> {
  const { db, jobs, now } = context;
  const customer = await findOrCreateCustomer(context, stripe, userId);
  const { customerId, sessionId } = customer;
  const success_url = `${origin}/account?subscription=success`;
  const inAnHour = now().getTime() / 1000 + 3600;
  const open = await listOpenSessions(stripe, customerId);
  const fitting = open.filter(
    ({ metadata, success_url: url, expires_at }) =>
      metadata?.tier === tier && url === success_url && expires_at > inAnHour,
  );
  const same = fitting.find(({ id }) => id === sessionId) ?? fitting[0];
  if (same && !(await replaceSession(db, customer, same.id))) {
    return await createCheckout(context, stripe, userId, tier, origin);
  }
  for (const { id } of open) if (id !== same?.id) await expireSession(stripe, id);
  // Afterwards, as it may have been paid a moment ago.
  const subscriptions = await listSubscriptions(stripe, customerId);
  if (!subscriptions) {
    // Someone deleted the customer there, or the server has another key now.
    await deleteCustomer(db, customerId);
    throw unavailable('The payment service has forgotten you. Please try again.');
  }
  const [subscription] = subscriptions;
  if (subscription) {
    await requestSync(jobs, customerId);
    const current = (await toStoredSubscription(stripe, subscription)).tier;
    if (costsMore(tier, current)) return await openPortal(context, stripe, subscription, current, tier, origin);
    throw conflict(`You pay for ${plans[current].name} already. Please change that on your account page.`);
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
  if (!session.url) throw new Error('Stripe made a checkout without an address.');
  if (await replaceSession(db, customer, session.id)) return session.url;
  // Another click was faster, or the account was deleted.
  await expireSession(stripe, session.id);
  return await createCheckout(context, stripe, userId, tier, origin);
}

/** One customer for each person, made before the first checkout. Throws 401 where the account has just gone. */
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
  const kept = await findCustomerOfUser(db, userId);
  if (kept?.customerId !== id) await stripe.customers.del(id);
  if (!kept) throw unauthorized();
  return kept;
}

/** From one address in an hour. */
const testsPerHour = 100;

/**
 * Tries the checkout, and settles nothing for anybody. Throws 400 for addresses of other sites, 429 when there were too many, 503
 * when Stripe is away.
 * @param origin of this site, as the request has it
 */
export async function testCheckout(
  context: Context,
  { tier, email, successUrl, cancelUrl }: z.infer<typeof TestCheckout>,
  origin: string,
  network: string,
): Promise<z.infer<typeof TestCheckoutAnswer>> {
  const sentence = 'Too many test checkouts from this address. Please try again later.';
  await countUse(context.db, { key: `test-checkout:${network}`, maxPerHour: testsPerHour, sentence }, context.now());
  const success = ownUrl(successUrl, origin, 'successUrl');
  const cancel = ownUrl(cancelUrl, origin, 'cancelUrl');
  if (tier === 'free') return { success: true, direct: true, url: success };
  const { stripe, config } = context;
  if (!stripe || !config.stripe) {
    const sessionId = `cs_simulated_${randomBytes(12).toString('hex')}`;
    return { success: true, url: `/simulate-checkout?tier=${tier}`, sessionId };
  }
  if (!/^(sk|rk)_test_/.test(config.stripe.secretKey)) {
    const message = 'This server has a live key of Stripe. A test checkout needs a test key, as in sk_test_….';
    return { success: false, message };
  }
  // For no customer of ours: it settles nothing, whoever pays it with whichever card.
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

/** The whole address of one of our pages. Throws 400 for any other: a checkout ends on no other site. */
function ownUrl(address: string, origin: string, field: string): string {
  const url = URL.canParse(address, origin) ? new URL(address, origin) : undefined;
  if (url?.origin === origin) return url.href;
  const words = 'This address must be a page of this site.';
  throw invalid(words, { [field]: words });
}
