import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { testEventType } from '#shared/accounts/webhooks.ts';
import type { Context } from '../../context.ts';
import { getConfiguredOrigin } from '../../platform/http/address.ts';
import { OutboundError, type OutboundProblem } from '../../platform/net/outbound.ts';
import { buildBody } from './events.ts';
import { signRequest } from './secret.ts';
import { clearFailures, disableWebhook, recordFailure } from './store.ts';
import { completeAttempt, type LeasedDelivery, leaseDueDeliveries, releaseDelivery } from './store-deliveries.ts';

export type DeliveryContext = Pick<Context, 'config' | 'db' | 'log' | 'now' | 'outbound' | 'secretKey'>;

const [second, minute, hour] = [1000, 60_000, 3_600_000];
const maxParallel = 10;
const timeoutMs = 20 * second;
/** Longer than an attempt takes. After it, the process that sends a delivery counts as dead. */
const leaseMs = 60 * second;
/** The body of a response is not used. Reading it lets the receiver finish its response. */
const maxResponseBytes = 65_536;
const pollMs = second;
/** The delays after the first, second and further attempts, as in the Standard Webhooks specification. */
const retryDelays = [5 * second, 5 * minute, ...[0.5, 2, 5, 10, 14, 20, 24].map((hours) => hours * hour)];
const jitter = 0.1;
const maxRetryAfterMs = 24 * hour;
const maxFailingMs = 5 * 24 * hour;

export const toLeaseEnd = (now: Date): Date => new Date(now.getTime() + leaseMs);

/**
 * Sends the deliveries that are due, and those that become due meanwhile. One delivery at a time for each webhook, so
 * that a slow receiver delays only its own. An abort interrupts the requests, which are sent again later.
 */
export async function sendDueDeliveries(context: DeliveryContext, signal: AbortSignal): Promise<void> {
  const { db, now } = context;
  /** By the id of the webhook. */
  const sending = new Map<number, Promise<void>>();
  const errors: unknown[] = [];
  try {
    while (errors.length === 0 && !signal.aborted) {
      const limit = maxParallel - sending.size;
      const busy = [...sending.keys()];
      const range = { now: now(), leasedUntil: toLeaseEnd(now()), limit, busy };
      const leased = limit > 0 ? await leaseDueDeliveries(db, range) : [];
      for (const delivery of leased) {
        const attempt = attemptDelivery(context, delivery, signal)
          .catch((error: unknown) => void errors.push(error))
          .finally(() => sending.delete(delivery.webhookId));
        sending.set(delivery.webhookId, attempt);
      }
      if (sending.size === 0) {
        // A webhook that was busy during the query may have more deliveries.
        if (limit > 0 && busy.length > 0) continue;
        break;
      }
      await Promise.race([...sending.values(), delay(pollMs, undefined, { ref: false })]);
    }
  } finally {
    await Promise.all(sending.values());
  }
  if (errors.length > 0) throw errors[0];
}

/**
 * Sends a leased delivery once and stores the result: success, the time of the next attempt, or failure.
 * @throws only if `signal` aborts, or if the database fails
 */
export async function attemptDelivery(
  context: DeliveryContext,
  delivery: LeasedDelivery,
  signal: AbortSignal,
): Promise<void> {
  const { db, log } = context;
  const result = await send(context, delivery, signal).catch(async (error: unknown) => {
    if (signal.aborted) {
      await releaseDelivery(db, delivery);
      throw error;
    }
    log.error({ err: error, delivery: delivery.id }, 'a webhook delivery failed');
    return { responseStatus: null, error: 'Something went wrong on our side.' };
  });
  if (result.error === null) await succeed(context, delivery, result);
  else await fail(context, delivery, { ...result, error: result.error });
}

interface Result {
  /** Null without a response. */
  responseStatus: number | null;
  /** Why the attempt failed, as a sentence; null if it succeeded. */
  error: string | null;
  /** When the receiver wants the next request. */
  retryAfter?: Date | undefined;
}

async function send(context: DeliveryContext, delivery: LeasedDelivery, signal: AbortSignal): Promise<Result> {
  const { config, outbound, secretKey, now } = context;
  const { url, format, payload, userId, secret, oldSecret, eventId } = delivery;
  if (!isEncrypted(url) && !config.allowPrivateAddresses) return { responseStatus: null, error: httpsMessage };
  const body = JSON.stringify(buildBody(payload, format, getConfiguredOrigin(config)));
  const secrets = { userId, secret, oldSecret: oldSecret ?? undefined };
  const signed = signRequest(secretKey, secrets, { eventId, body, now: now() });
  if (!signed) return { responseStatus: null, error: lostSecretMessage };
  try {
    const response = await outbound.post(url, {
      body,
      headers: { 'content-type': 'application/json', ...signed },
      maxBytes: maxResponseBytes,
      timeoutMs,
      signal,
    });
    await discard(response.body);
    const { status } = response;
    if (status >= 200 && status < 300) return { responseStatus: status, error: null };
    const retryAfter = readRetryAfter(response.headers['retry-after'], now());
    return { responseStatus: status, error: describeStatus(status), retryAfter };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { responseStatus: null, error: describeProblem(error.problem) };
  }
}

export const isEncrypted = (url: string): boolean => new URL(url).protocol === 'https:';

/** Reads the body of a response. Its status is known, so it does not matter whether all of it arrives. */
async function discard(body: Readable): Promise<void> {
  await finished(body.resume()).catch((error: unknown) => {
    if (!(error instanceof OutboundError)) throw error;
  });
}

async function succeed({ db }: DeliveryContext, delivery: LeasedDelivery, { responseStatus }: Result): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await clearFailures(trx, delivery.webhookId);
    await completeAttempt(trx, delivery, { status: 'succeeded', responseStatus, error: null, nextAttemptAt: null });
  });
}

async function fail(
  { db, now }: DeliveryContext,
  delivery: LeasedDelivery,
  { responseStatus, error, retryAfter }: Result,
): Promise<void> {
  const at = now();
  const isTest = delivery.payload.type === testEventType;
  const planned = isTest ? null : planRetry(delivery.attempts, at, retryAfter);
  await db.transaction().execute(async (trx) => {
    // A test says nothing about the events of the webhook, unless the receiver is gone.
    const webhook = isTest ? undefined : await recordFailure(trx, delivery.webhookId, at, retryAfter ?? null);
    const nextAttemptAt = webhook?.active ? planned : null;
    const status = nextAttemptAt ? 'pending' : 'failed';
    await completeAttempt(trx, delivery, { status, responseStatus, error, nextAttemptAt });
    if (responseStatus === 410) await disableWebhook(trx, delivery.webhookId, goneMessage);
    else if (webhook?.active && at.getTime() - webhook.failingSince.getTime() >= maxFailingMs)
      await disableWebhook(trx, delivery.webhookId, failingMessage);
  });
}

/**
 * Returns the time of the attempt after number `attempts`, or null if that was the last one. A receiver can postpone it
 * but not advance it.
 */
function planRetry(attempts: number, now: Date, retryAfter: Date | undefined): Date | null {
  const planned = retryDelays[attempts - 1];
  if (planned === undefined) return null;
  const next = now.getTime() + planned * (1 + jitter * Math.random());
  return new Date(Math.max(next, retryAfter?.getTime() ?? 0));
}

/** Reads a Retry-After header: seconds or a date, at most a day from now. */
function readRetryAfter(header: string | undefined, now: Date): Date | undefined {
  if (header === undefined) return undefined;
  const time = /^\d{1,9}$/.test(header) ? now.getTime() + Number(header) * second : Date.parse(header);
  if (Number.isNaN(time) || time <= now.getTime()) return undefined;
  return new Date(Math.min(time, now.getTime() + maxRetryAfterMs));
}

export const httpsMessage = 'The URL must start with https://.';
const lostSecretMessage = 'The secret can no longer be read, because the secret key of the server changed. Rotate it.';
const goneMessage = 'The receiver responded with 410 Gone, so it no longer wants events.';
const failingMessage = 'No delivery has succeeded for five days.';

const describeStatus = (status: number) =>
  status >= 300 && status < 400
    ? `The receiver responded with ${status}. Redirects are not followed: change the URL.`
    : `The receiver responded with ${status}.`;

/** Says nothing about the addresses that a name has, which may be those of a private network. */
export function describeProblem(problem: OutboundProblem): string {
  const sentences: Record<OutboundProblem, string> = {
    url: 'The URL cannot have a username, a password or a port other than 443.',
    private: 'The URL leads to an address that is not public.',
    dns: 'The host of the URL was not found.',
    connection: 'The connection failed, or the certificate of the receiver is not valid.',
    timeout: `The receiver did not respond within ${timeoutMs / second} seconds.`,
    redirects: 'The receiver redirects the request.',
    size: 'The response is too large.',
    off: 'This server sends no requests to others.',
  };
  return sentences[problem];
}
