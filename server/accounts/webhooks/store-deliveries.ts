import { sql } from 'kysely';
import type { DeliveryStatus, WebhookFormat } from '#shared/accounts/webhooks.ts';
import { countRows, type Db } from '../../platform/db/database.ts';
import type { WebhookPayload } from './tables.ts';

const deliveryColumns = [
  'webhook_deliveries.id',
  'webhook_id as webhookId',
  'event_id as eventId',
  'type',
  'status',
  'attempts',
  'response_status as responseStatus',
  'error',
  'webhook_deliveries.created_at as createdAt',
  'next_attempt_at as nextAttemptAt',
  'last_attempt_at as lastAttemptAt',
  'payload',
  'format',
] as const;

export type DeliveryRow = Awaited<ReturnType<typeof listDeliveryRows>>[number];

const ownDeliveries = (db: Db, userId: number) =>
  db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_id')
    .select(deliveryColumns)
    .where('user_id', '=', userId);

/** A page of the deliveries of one of the user's webhooks, newest first. */
export function listDeliveryRows(
  db: Db,
  userId: number,
  webhookId: number,
  { offset, limit }: { offset: number; limit: number },
) {
  return ownDeliveries(db, userId)
    .where('webhook_id', '=', webhookId)
    .orderBy('webhook_deliveries.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
}

/** The deliveries of all webhooks of a user after one, oldest first. */
export function listDeliveryRowsAfter(db: Db, userId: number, after: number, limit: number) {
  return ownDeliveries(db, userId)
    .where('webhook_deliveries.id', '>', after)
    .orderBy('webhook_deliveries.id')
    .limit(limit)
    .execute();
}

export function findDeliveryRow(db: Db, userId: number, id: number): Promise<DeliveryRow | undefined> {
  return ownDeliveries(db, userId).where('webhook_deliveries.id', '=', id).executeTakeFirst();
}

export const countDeliveries = (db: Db, webhookId: number) =>
  countRows(db.selectFrom('webhook_deliveries').where('webhook_id', '=', webhookId));

/** An event for one user, or for all admins (`userId` null). */
export interface QueuedEvent {
  id: string;
  userId: number | null;
  payload: WebhookPayload;
}

/** Adds a delivery for each active webhook that subscribes to an event and may receive it. */
export async function insertDeliveries(trx: Db, events: readonly QueuedEvent[], now: Date): Promise<void> {
  await sql`
    insert into webhook_deliveries (webhook_id, event_id, type, payload, created_at, next_attempt_at)
    select webhooks.id, event.id, event.payload ->> 'type', event.payload, ${now}, ${now}
    from json_to_recordset(${JSON.stringify(events)}::json) as event (id text, "userId" bigint, payload json)
    join webhooks on active and event.payload ->> 'type' = any(webhooks.events)
    join users on users.id = user_id and users.disabled_at is null
    where case when event."userId" is null then is_admin else user_id = event."userId" end
  `.execute(trx);
}

/** Adds a delivery of a user's webhook. @returns its id; undefined if the user has no such webhook */
export async function insertDelivery(
  db: Db,
  { userId, webhookId }: { userId: number; webhookId: number },
  { id, payload }: Omit<QueuedEvent, 'userId'>,
  now: Date,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into webhook_deliveries (webhook_id, event_id, type, payload, created_at, next_attempt_at)
    select id, ${id}, ${payload.type}, ${JSON.stringify(payload)}::json, ${now}, ${now}
    from webhooks where id = ${webhookId} and user_id = ${userId}
    returning id
  `.execute(db);
  return rows[0]?.id;
}

/** A delivery that this process sends. No other process sends it until its lease ends. */
export interface LeasedDelivery {
  id: number;
  webhookId: number;
  userId: number;
  url: string;
  format: WebhookFormat;
  secret: Buffer;
  oldSecret: Buffer | null;
  eventId: string;
  payload: WebhookPayload;
  /** The number of attempts, with this one. */
  attempts: number;
}

const lease = (leasedUntil: Date, now: Date) => sql`
  update webhook_deliveries set
    status = 'pending', attempts = attempts + 1, last_attempt_at = ${now}, leased_until = ${leasedUntil},
    next_attempt_at = coalesce(next_attempt_at, ${now})
`;

/**
 * SQL for whether a time is still to come. No delivery waits for two days, so a later time comes from a clock that was
 * ahead.
 */
const isAhead = (column: 'leased_until' | 'next_attempt_at' | 'paused_until', now: Date) => sql`
  coalesce(${sql.ref(column)} > ${now} and ${sql.ref(column)} < ${now}::timestamptz + interval '2 days', false)
`;

const leasedColumns = (now: Date) => sql`
  webhook_deliveries.id, webhook_id as "webhookId", user_id as "userId", url, format, secret,
  case when old_secret_until > ${now} then old_secret end as "oldSecret", event_id as "eventId", payload, attempts
`;

/**
 * Leases the next due delivery of each of up to `limit` webhooks, those that wait longest first. Webhooks that are not
 * active, wait as their receiver asked, or belong to a disabled account are left out.
 * @param busy ids of webhooks to leave out
 */
export async function leaseDueDeliveries(
  db: Db,
  { now, leasedUntil, limit, busy }: { now: Date; leasedUntil: Date; limit: number; busy: readonly number[] },
): Promise<LeasedDelivery[]> {
  const { rows } = await sql<LeasedDelivery>`
    ${lease(leasedUntil, now)}
    from webhooks, (
      select id from (
        select distinct on (webhook_id) webhook_deliveries.id, next_attempt_at
        from webhook_deliveries
        join webhooks on webhooks.id = webhook_id
        join users on users.id = user_id
        where status = 'pending' and not ${isAhead('next_attempt_at', now)} and not ${isAhead('leased_until', now)}
          and active and users.disabled_at is null and not ${isAhead('paused_until', now)}
          and webhook_id <> all(${busy}::bigint[])
        order by webhook_id, next_attempt_at, webhook_deliveries.id
      ) as first order by next_attempt_at, id limit ${limit}
    ) as due
    where webhook_deliveries.id = due.id and webhooks.id = webhook_id
      -- Checked again after waiting for a process that has leased the row meanwhile.
      and status = 'pending' and not ${isAhead('leased_until', now)}
    returning ${leasedColumns(now)}
  `.execute(db);
  return rows;
}

/** Leases one delivery of a user's webhook, whatever its status. @returns undefined if it is being sent, or missing */
export async function leaseDelivery(
  db: Db,
  { userId, webhookId, id }: { userId: number; webhookId: number; id: number },
  { now, leasedUntil }: { now: Date; leasedUntil: Date },
): Promise<LeasedDelivery | undefined> {
  const { rows } = await sql<LeasedDelivery>`
    ${lease(leasedUntil, now)}
    from webhooks
    where webhook_deliveries.id = ${id} and webhook_id = ${webhookId} and webhooks.id = webhook_id and user_id = ${userId}
      and not ${isAhead('leased_until', now)}
    returning ${leasedColumns(now)}
  `.execute(db);
  return rows[0];
}

interface Outcome {
  status: DeliveryStatus;
  responseStatus: number | null;
  error: string | null;
  nextAttemptAt: Date | null;
}

/** Stores the result of an attempt, unless another process has leased the delivery meanwhile. */
export async function completeAttempt(
  trx: Db,
  { id, attempts }: LeasedDelivery,
  { status, responseStatus, error, nextAttemptAt }: Outcome,
): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({
      status,
      response_status: responseStatus,
      error,
      next_attempt_at: nextAttemptAt,
      leased_until: null,
    })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute();
}

/** Ends the lease of an attempt that was interrupted. It does not count. */
export async function releaseDelivery(db: Db, { id, attempts }: LeasedDelivery): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ attempts: attempts - 1, leased_until: null })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute();
}
