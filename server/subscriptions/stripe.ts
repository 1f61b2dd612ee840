import Stripe from 'stripe';
import { PaidTier, plans } from '#shared/subscriptions.ts';
import type { Context } from '../context.ts';
import { unavailable } from '../http/errors.ts';

/** Calls Stripe while a person waits. Throws 503 for whatever Stripe does not do; the reason is logged. */
export async function callStripe<T>({ log }: Pick<Context, 'log'>, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    log.warn(getLoggableError(error), 'Stripe refused a request or did not answer');
    throw unavailable('The payment service does not answer as it should. Please try again in a few minutes.', 60);
  }
}

/** Whether Stripe refused the request itself, which would fail again. */
export const isInvalidRequest = (error: unknown) => error instanceof Stripe.errors.StripeInvalidRequestError;

/** What Stripe answers; undefined where it knows no such object, or has deleted it. */
export async function undefinedIfMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing') return undefined;
    throw error;
  }
}

/** Stripe names an object by its id, or has it in place. */
export const idOf = (object: string | { id: string }) => (typeof object === 'string' ? object : object.id);

/** What may be logged of an error: its message repeats what was sent. */
export function getLoggableError({ type, code, statusCode, requestId }: Stripe.errors.StripeError) {
  return { type, code, statusCode, stripeRequestId: requestId };
}

/** The product of a plan at Stripe. */
export const productIdOf = (tier: PaidTier) => `linksieve_${tier}`;

/** The plan that a price is for; undefined for one of an older version, whose product was made for one checkout alone. */
export const tierOf = ({ product }: Stripe.Price): PaidTier | undefined =>
  PaidTier.options.find((tier) => productIdOf(tier) === idOf(product));

/** With the amount in its key, a plan that costs something else gets another price. Who pays the old one keeps it. */
const lookupKeyOf = (tier: PaidTier) => `${productIdOf(tier)}_${plans[tier].pricePerMonth}`;

/** The ids of the plans' monthly prices at Stripe. Makes those that are missing. */
export async function findOrCreatePrices(stripe: Stripe): Promise<Record<PaidTier, string>> {
  const { data } = await stripe.prices.list({ lookup_keys: PaidTier.options.map(lookupKeyOf), active: true });
  const priceOf = async (tier: PaidTier) =>
    data.find(({ lookup_key }) => lookup_key === lookupKeyOf(tier))?.id ?? (await createPrice(stripe, tier));
  return { standard: await priceOf('standard'), business: await priceOf('business') };
}

async function createPrice(stripe: Stripe, tier: PaidTier): Promise<string> {
  const { name, pricePerMonth } = plans[tier];
  const product = productIdOf(tier);
  try {
    await stripe.products.create({ id: product, name: `Linksieve ${name}` });
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError && error.code === 'resource_already_exists')) throw error;
  }
  const price = await stripe.prices.create({
    product,
    lookup_key: lookupKeyOf(tier),
    transfer_lookup_key: true,
    currency: 'usd',
    unit_amount: pricePerMonth * 100,
    recurring: { interval: 'month' },
  });
  return price.id;
}
