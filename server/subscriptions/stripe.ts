import Stripe from 'stripe';
import type { Config, StripeConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { unavailable } from '../http/errors.ts';

/** What the fields are read and written as. Another one comes with another version of the package. */
const apiVersion = '2026-10-28.endive';

/** The payment service; undefined where checkouts are simulated. */
export function openStripe({ stripe }: Pick<Config, 'stripe'>): Stripe | undefined {
  if (!stripe) return undefined;
  return new Stripe(stripe.secretKey, {
    apiVersion,
    // Somebody waits: one try and another, which the package makes under the same idempotency key.
    timeout: 8000,
    maxNetworkRetries: 1,
    telemetry: false,
    ...placeOf(stripe),
  });
}

function placeOf({ apiUrl }: StripeConfig): Stripe.StripeConfig {
  if (!apiUrl) return {};
  const { protocol, hostname, port } = new URL(apiUrl);
  const http = protocol === 'http:';
  return { protocol: http ? 'http' : 'https', host: hostname, port: port || (http ? 80 : 443) };
}

/** Whether a payment made with the key is nobody's money. */
export const isTestKey = ({ secretKey }: StripeConfig) => /^(sk|rk)_test_/.test(secretKey);

/** Asks Stripe something that a person waits for. Throws 503 for whatever it does not do; the log has the reason. */
export async function askStripe<T>({ log }: Pick<Context, 'log'>, question: Promise<T>): Promise<T> {
  try {
    return await question;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    log.warn(reasonOf(error), 'Stripe did not do what it was asked for');
    throw unavailable('The payment service does not answer as it should. Please try again in a few minutes.', 60);
  }
}

/** Whether Stripe knows no such thing, or has ended it before. */
export const isGone = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';

/** A subscription as it is now; undefined where Stripe knows no such one. */
export async function findAtStripe(stripe: Stripe, id: string): Promise<Stripe.Subscription | undefined> {
  try {
    return await stripe.subscriptions.retrieve(id);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** Whether it is Stripe's answer for good: not that it is still at work on the same, nor that it is asked too often. */
export const isFinal = (error: unknown) =>
  error instanceof Stripe.errors.StripeError &&
  error.statusCode !== undefined &&
  ![409, 429].includes(error.statusCode);

/** Of an error only what names nobody: its words repeat what was sent. */
export function reasonOf({ type, code, statusCode, requestId }: Stripe.errors.StripeError) {
  return { type, code, statusCode, stripeRequestId: requestId };
}
