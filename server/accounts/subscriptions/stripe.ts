import Stripe from 'stripe';
import { PaidTier, plans } from '#shared/accounts/subscriptions.ts';
import type { Context } from '../../context.ts';
import { unavailable } from '../../platform/http/errors.ts';

/** Calls Stripe during a request. Logs Stripe's errors and throws 503 for them. */
export async function callStripe<T>({ log }: Pick<Context, 'log'>, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    log.warn(getLoggableError(error), 'a request to Stripe failed');
    throw unavailable('The payment service is not available right now. Please try again in a few minutes.', 60);
  }
}

/** Whether Stripe rejected the request itself, so that a retry would fail again. */
export const isInvalidRequest = (error: unknown) => error instanceof Stripe.errors.StripeInvalidRequestError;

/** Resolves to the result of a request; undefined if Stripe does not have the object. */
export async function undefinedIfMissing<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing') return undefined;
    throw error;
  }
}

/** Stripe returns a related object either as its id or expanded. */
export const getStripeId = (object: string | { id: string }) => (typeof object === 'string' ? object : object.id);

/** Returns the fields of an error that may be logged. Its message may repeat data from the request. */
export function getLoggableError({ type, code, statusCode, requestId }: Stripe.errors.StripeError) {
  return { type, code, statusCode, stripeRequestId: requestId };
}

/** The id of a plan's product at Stripe. */
export const getProductId = (tier: PaidTier) => `linksieve_${tier}`;

/** The plan of a price; undefined for prices of older versions, which created a product for each checkout. */
export const findTier = ({ product }: Stripe.Price): PaidTier | undefined =>
  PaidTier.options.find((tier) => getProductId(tier) === getStripeId(product));

/**
 * The key contains the amount: if a plan's price changes, a new price is created, and existing subscriptions keep the
 * old one.
 */
const getLookupKey = (tier: PaidTier) => `${getProductId(tier)}_${plans[tier].pricePerMonth}`;

/** Returns the ids of the plans' monthly prices at Stripe. Creates missing ones. */
export async function findOrCreatePrices(stripe: Stripe): Promise<Record<PaidTier, string>> {
  const { data } = await stripe.prices.list({ lookup_keys: PaidTier.options.map(getLookupKey), active: true });
  const findOrCreatePrice = async (tier: PaidTier) =>
    data.find(({ lookup_key }) => lookup_key === getLookupKey(tier))?.id ?? (await createPrice(stripe, tier));
  return { standard: await findOrCreatePrice('standard'), business: await findOrCreatePrice('business') };
}

async function createPrice(stripe: Stripe, tier: PaidTier): Promise<string> {
  const { name, pricePerMonth } = plans[tier];
  const product = getProductId(tier);
  try {
    await stripe.products.create({ id: product, name: `Linksieve ${name}` });
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError && error.code === 'resource_already_exists')) throw error;
  }
  const price = await stripe.prices.create({
    product,
    lookup_key: getLookupKey(tier),
    transfer_lookup_key: true,
    currency: 'usd',
    unit_amount: pricePerMonth * 100,
    recurring: { interval: 'month' },
  });
  return price.id;
}
