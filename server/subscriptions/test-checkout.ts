import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import type * as z from 'zod/mini';
import type { PaidTier, TestCheckout, TestCheckoutAnswer } from '#shared/subscriptions.ts';
import type { Context } from '../context.ts';
import { invalid } from '../http/errors.ts';
import { countUse } from '../throttle/throttle.ts';
import { priceOf, productNameOf } from './prices.ts';
import { askStripe, isTestKey } from './stripe.ts';

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
  await countUse(context.db, { key: `test-checkout:${network}`, mostInAnHour: testsPerHour, sentence }, context.now());
  const success = ownUrl(successUrl, origin, 'successUrl');
  const cancel = ownUrl(cancelUrl, origin, 'cancelUrl');
  if (tier === 'free') return { success: true, direct: true, url: success };
  const { stripe, config } = context;
  if (stripe && config.stripe) {
    if (!isTestKey(config.stripe)) return { success: false, message: refusal };
    return await testSession(context, stripe, { tier, email, success, cancel });
  }
  const sessionId = `cs_simulated_${randomBytes(12).toString('hex')}`;
  return { success: true, url: `/simulate-checkout?tier=${tier}`, sessionId };
}

const refusal = 'This server has a live key of Stripe. A test checkout needs a test key, as in sk_test_….';

interface TestSession {
  tier: PaidTier;
  email: string;
  success: string;
  cancel: string;
}

/** It names nobody and no checkout that was begun here: whoever pays it, with whichever card, has settled nothing. */
async function testSession(
  context: Context,
  stripe: Stripe,
  { tier, email, success, cancel }: TestSession,
): Promise<z.infer<typeof TestCheckoutAnswer>> {
  const question = stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ quantity: 1, price_data: { ...priceOf(tier), product_data: { name: productNameOf(tier) } } }],
    customer_email: email,
    success_url: success,
    cancel_url: cancel,
  });
  const { id, url } = await askStripe(context, question);
  return { success: true, sessionId: id, ...(url && { url }) };
}

/** The whole address of one of our pages. Throws 400 for any other: a checkout ends on no other site. */
function ownUrl(address: string, origin: string, field: string): string {
  const url = URL.canParse(address, origin) ? new URL(address, origin) : undefined;
  if (url?.origin === origin) return url.href;
  const words = 'This address must be a page of this site.';
  throw invalid(words, { [field]: words });
}
