import { randomUUID } from 'node:crypto';
import type * as contract from '#shared/accounts/webhooks.ts';
import {
  isAdminEvent,
  oldSecretHours,
  testEventType,
  type Webhook,
  type WebhookDelivery,
  type WebhookInput,
} from '#shared/accounts/webhooks.ts';
import type { BodyOf } from '#shared/platform/endpoint.ts';
import { toPagination } from '#shared/platform/page.ts';
import { maxWebhooks } from '#shared/platform/usage.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { getConfiguredOrigin } from '../../platform/http/address.ts';
import { conflict, forbidden, invalidField, notFound, unauthorized } from '../../platform/http/errors.ts';
import type { Identity } from '../../platform/http/scope.ts';
import { OutboundError } from '../../platform/net/outbound.ts';
import { recordUse } from '../../platform/throttle/throttle.ts';
import {
  attemptDelivery,
  type DeliveryContext,
  describeProblem,
  httpsMessage,
  isEncrypted,
  toLeaseEnd,
} from './deliver.ts';
import { buildBody, type WebhookEvent } from './events.ts';
import { newSecret, sealSecret } from './secret.ts';
import * as store from './store.ts';
import * as deliveries from './store-deliveries.ts';

/** The test events and replays of a user. */
export const maxSendsPerHour = 60;

/**
 * Queues events in the caller's transaction, so that they are sent if and only if it is committed. Webhooks that do not
 * subscribe to an event get nothing. Needs no context, so processes of runs can call it.
 */
export async function queueWebhookEvents(trx: Db, events: readonly WebhookEvent[], now: Date): Promise<void> {
  if (events.length === 0) return;
  const queued = events.map(({ type, userId, data }) => ({
    id: newEventId(),
    userId: userId === 'admins' ? null : userId,
    payload: { type, timestamp: now.toISOString(), data },
  }));
  await deliveries.insertDeliveries(trx, queued, now);
}

const newEventId = () => `msg_${randomUUID()}`;

/** Returns the user's webhooks, oldest first, without their secrets. */
export async function listWebhooksOfUser({ db, now }: Pick<Context, 'db' | 'now'>, userId: number): Promise<Webhook[]> {
  return (await store.listWebhookRows(db, userId, now())).map(toWebhook);
}

async function getWebhook({ db, now }: Pick<Context, 'db' | 'now'>, userId: number, id: number): Promise<Webhook> {
  const [row] = await store.listWebhookRows(db, userId, now(), id);
  if (!row) throw webhookNotFound(id);
  return toWebhook(row);
}

function toWebhook({ createdAt, oldSecretUntil, lastStatus, lastCreatedAt, ...row }: store.WebhookRow): Webhook {
  return {
    ...row,
    createdAt: createdAt.toISOString(),
    oldSecretUntil: oldSecretUntil?.toISOString() ?? null,
    lastDelivery: lastStatus && lastCreatedAt && { status: lastStatus, createdAt: lastCreatedAt.toISOString() },
  };
}

/** Adds a change of a webhook to the security activity, in the transaction of the change. */
type RecordWebhookEvent = (trx: Db, host: string) => Promise<void>;

/**
 * Adds a webhook and returns it with its secret.
 * @throws 400 for a URL that cannot be requested, 403 for events that only admins get, and 409 if the user has the
 *   maximum number of webhooks, even if several are added at the same time
 */
export async function createWebhook(
  { config, db, now, outbound, secretKey }: Pick<Context, 'config' | 'db' | 'now' | 'outbound' | 'secretKey'>,
  user: Identity,
  { url: given, events, format = 'standard' }: WebhookInput,
  record: RecordWebhookEvent,
): Promise<Webhook & { secret: string }> {
  // As it will be requested: characters that the database refuses are encoded.
  const url = new URL(given).href;
  requireAllowedEvents(user, events);
  requireAllowedUrl({ config, outbound }, url);
  const secret = newSecret();
  return await db.transaction().execute(async (trx) => {
    if (!(await store.lockUser(trx, user.id))) throw unauthorized();
    if ((await store.countWebhooks(trx, user.id)) >= maxWebhooks) {
      throw conflict(`You have ${maxWebhooks} webhooks, which is the maximum. Delete one to add another.`);
    }
    const id = await store.insertWebhook(trx, {
      user_id: user.id,
      url,
      events,
      format,
      secret: sealSecret(secretKey, user.id, secret),
      created_at: now(),
    });
    await record(trx, new URL(url).host);
    return { ...(await getWebhook({ db: trx, now }, user.id, id)), secret };
  });
}

function requireAllowedEvents(user: Identity, events: readonly string[]): void {
  const refused = events.find(isAdminEvent);
  if (refused && !user.isAdmin) throw forbidden(`Only admins can receive ${refused}.`);
}

/** @throws 400 for a URL that no request would be sent to, whatever its host resolves to */
function requireAllowedUrl({ config, outbound }: Pick<Context, 'config' | 'outbound'>, url: string): void {
  if (!isEncrypted(url) && !config.allowPrivateAddresses) throw invalidField('url', httpsMessage);
  try {
    outbound.checkUrl(url);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw invalidField('url', describeProblem(error.problem));
  }
}

/**
 * Changes the events of a webhook, pauses it or enables it again. A pause ends its pending deliveries.
 * @throws 403 for events that only admins get, and 404
 */
export async function updateWebhook(
  { db, now }: Pick<Context, 'db' | 'now'>,
  user: Identity,
  id: number,
  { events, active }: BodyOf<typeof contract.updateWebhook>,
): Promise<Webhook> {
  if (events) requireAllowedEvents(user, events);
  return await db.transaction().execute(async (trx) => {
    const before = await getWebhook({ db: trx, now }, user.id, id);
    if (events) await store.updateWebhookRow(trx, user.id, id, { events });
    if (active && !before.active) {
      const enabled = { active, disabled_reason: null, failing_since: null, paused_until: null };
      await store.updateWebhookRow(trx, user.id, id, enabled);
    }
    if (active === false && before.active) await store.disableWebhook(trx, id, null);
    return await getWebhook({ db: trx, now }, user.id, id);
  });
}

/** Deletes a webhook with its deliveries. @throws 404 */
export async function deleteWebhook({ db }: Pick<Context, 'db'>, userId: number, id: number): Promise<void> {
  if (!(await store.deleteWebhookRow(db, userId, id))) throw webhookNotFound(id);
}

/** Replaces the secret. The one before signs too for a day. @throws 404 */
export async function rotateSecret(
  { db, now, secretKey }: Pick<Context, 'db' | 'now' | 'secretKey'>,
  userId: number,
  id: number,
  record: RecordWebhookEvent,
): Promise<{ secret: string }> {
  const secret = newSecret();
  await db.transaction().execute(async (trx) => {
    const { url } = await getWebhook({ db: trx, now }, userId, id);
    const isReplaced = await store.replaceSecret(trx, userId, id, {
      secret: sealSecret(secretKey, userId, secret),
      oldSecretUntil: new Date(now().getTime() + oldSecretHours * 3_600_000),
    });
    if (!isReplaced) throw webhookNotFound(id);
    await record(trx, new URL(url).host);
  });
  return { secret };
}

/** Returns a page of the deliveries of a webhook, newest first. @throws 404 */
export async function listDeliveries(
  context: Pick<Context, 'config' | 'db' | 'now'>,
  userId: number,
  id: number,
  { page, pageSize }: { page: number; pageSize: number },
) {
  await getWebhook(context, userId, id);
  const { config, db } = context;
  const rows = await deliveries.listDeliveryRows(db, userId, id, { offset: page * pageSize, limit: pageSize });
  const total = await deliveries.countDeliveries(db, id);
  return { deliveries: rows.map((row) => toDelivery(config, row)), pagination: toPagination(page, pageSize, total) };
}

/** Returns the deliveries of all webhooks of a user after one, oldest first. */
export async function listDeliveriesOfUser(
  { config, db }: Pick<Context, 'config' | 'db'>,
  userId: number,
  after: number,
  limit: number,
): Promise<WebhookDelivery[]> {
  const rows = await deliveries.listDeliveryRowsAfter(db, userId, after, limit);
  return rows.map((row) => toDelivery(config, row));
}

function toDelivery(
  config: Context['config'],
  { webhookId: _, payload, format, createdAt, nextAttemptAt, lastAttemptAt, ...row }: deliveries.DeliveryRow,
): WebhookDelivery {
  return {
    ...row,
    createdAt: createdAt.toISOString(),
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    lastAttemptAt: lastAttemptAt?.toISOString() ?? null,
    payload: buildBody(payload, format, getConfiguredOrigin(config)),
  };
}

/** Sends a test event, once, and returns the delivery with its result. @throws 404, and 429 after too many */
export async function sendTest(
  context: DeliveryContext,
  userId: number,
  webhookId: number,
  signal: AbortSignal,
): Promise<WebhookDelivery> {
  const { db, now } = context;
  await recordSend(context, userId);
  const at = now();
  const payload = {
    type: testEventType,
    timestamp: at.toISOString(),
    data: { message: 'This is a test of your webhook.', url: '/account?tab=notifications' },
  };
  const leased = await db.transaction().execute(async (trx) => {
    const id = await deliveries.insertDelivery(trx, { userId, webhookId }, { id: newEventId(), payload }, at);
    if (id === undefined) throw webhookNotFound(webhookId);
    return await deliveries.leaseDelivery(trx, { userId, webhookId, id }, { now: at, leasedUntil: toLeaseEnd(at) });
  });
  if (!leased) throw webhookNotFound(webhookId);
  return await sendLeased(context, leased, signal);
}

/**
 * Sends a delivery again and returns it with the result. If the attempt fails, further ones follow as for any delivery
 * with as many attempts.
 * @throws 404, 409 while it is being sent, and 429 after too many
 */
export async function replayDelivery(
  context: DeliveryContext,
  userId: number,
  { id: webhookId, deliveryId: id }: { id: number; deliveryId: number },
  signal: AbortSignal,
): Promise<WebhookDelivery> {
  const { db, now } = context;
  const row = await deliveries.findDeliveryRow(db, userId, id);
  if (row?.webhookId !== webhookId) throw notFound('delivery', id);
  await recordSend(context, userId);
  const at = now();
  const leased = await deliveries.leaseDelivery(
    db,
    { userId, webhookId, id },
    { now: at, leasedUntil: toLeaseEnd(at) },
  );
  if (!leased) throw conflict('This delivery is being sent. Try again in a minute.');
  return await sendLeased(context, leased, signal);
}

function recordSend({ db, now }: Pick<Context, 'db' | 'now'>, userId: number): Promise<void> {
  const limitMessage = 'You have sent many test events and replays. Please try again later.';
  return recordUse(db, { key: `webhook:${userId}`, maxPerHour: maxSendsPerHour, limitMessage }, now());
}

async function sendLeased(
  context: DeliveryContext,
  leased: deliveries.LeasedDelivery,
  signal: AbortSignal,
): Promise<WebhookDelivery> {
  await attemptDelivery(context, leased, signal);
  const row = await deliveries.findDeliveryRow(context.db, leased.userId, leased.id);
  if (!row) throw notFound('delivery', leased.id);
  return toDelivery(context.config, row);
}

const webhookNotFound = (id: number) => notFound('webhook', id);
