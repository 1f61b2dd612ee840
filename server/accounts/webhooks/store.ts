import { type Insertable, sql, type UpdateObject } from 'kysely';
import type { DeliveryStatus } from '#shared/accounts/webhooks.ts';
import { countRows, type Db } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/tables.ts';

export type WebhookRow = Awaited<ReturnType<typeof listWebhookRows>>[number];

/** The user's webhooks, oldest first, each with its last delivery; or one of them. */
export function listWebhookRows(db: Db, userId: number, now: Date, id?: number) {
  return db
    .selectFrom('webhooks')
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom('webhook_deliveries')
          .select(['status as lastStatus', 'webhook_deliveries.created_at as lastCreatedAt'])
          .whereRef('webhook_id', '=', 'webhooks.id')
          .orderBy('webhook_deliveries.id', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select([
      'webhooks.id',
      'url',
      'events',
      'format',
      'active',
      'disabled_reason as disabledReason',
      'created_at as createdAt',
      sql<Date | null>`case when old_secret_until > ${now} then old_secret_until end`.as('oldSecretUntil'),
      sql<DeliveryStatus | null>`last."lastStatus"`.as('lastStatus'),
      sql<Date | null>`last."lastCreatedAt"`.as('lastCreatedAt'),
    ])
    .where('user_id', '=', userId)
    .$if(id !== undefined, (query) => query.where('webhooks.id', '=', id ?? 0))
    .orderBy('webhooks.id')
    .execute();
}

/**
 * Locks the user until the transaction ends, so that webhooks of one user are added one after the other.
 * @returns whether the user exists
 */
export async function lockUser(trx: Db, userId: number): Promise<boolean> {
  const row = await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().executeTakeFirst();
  return row !== undefined;
}

export const countWebhooks = (db: Db, userId: number) =>
  countRows(db.selectFrom('webhooks').where('user_id', '=', userId));

type NewWebhook = Pick<
  Insertable<Tables['webhooks']>,
  'user_id' | 'url' | 'events' | 'format' | 'secret' | 'created_at'
>;

/** @returns its id */
export async function insertWebhook(db: Db, webhook: NewWebhook): Promise<number> {
  const { id } = await db.insertInto('webhooks').values(webhook).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** @returns whether the user has such a webhook */
export async function updateWebhookRow(
  db: Db,
  userId: number,
  id: number,
  changes: UpdateObject<Tables, 'webhooks'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhooks')
    .set(changes)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Makes a secret the current one. The one before signs too until a date.
 * @returns whether the user has such a webhook
 */
export function replaceSecret(
  db: Db,
  userId: number,
  id: number,
  { secret, oldSecretUntil }: { secret: Buffer; oldSecretUntil: Date },
): Promise<boolean> {
  return updateWebhookRow(db, userId, id, {
    secret,
    old_secret: sql<Buffer>`secret`,
    old_secret_until: oldSecretUntil,
  });
}

/** @returns whether the user had such a webhook */
export async function deleteWebhookRow(db: Db, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('webhooks')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Records that deliveries of a webhook succeed again. Most calls change nothing. */
export async function clearFailures(db: Db, id: number): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ failing_since: null, paused_until: null })
    .where('id', '=', id)
    .where(({ or, eb }) => or([eb('failing_since', 'is not', null), eb('paused_until', 'is not', null)]))
    .execute();
}

/**
 * Records a failed delivery, and locks the webhook until the transaction ends.
 * @param pausedUntil when the receiver wants the next request, if it says so
 * @returns since when deliveries fail, and whether the webhook is active; undefined if it was deleted
 */
export function recordFailure(trx: Db, id: number, now: Date, pausedUntil: Date | null) {
  return trx
    .updateTable('webhooks')
    .set({ failing_since: sql<Date>`coalesce(failing_since, ${now})`, paused_until: pausedUntil })
    .where('id', '=', id)
    .returning([sql<Date>`failing_since`.as('failingSince'), 'active'])
    .executeTakeFirst();
}

/** Ends the use of a webhook and of its pending deliveries. `reason` is null if its owner pauses it. */
export async function disableWebhook(trx: Db, id: number, reason: string | null): Promise<void> {
  await trx.updateTable('webhooks').set({ active: false, disabled_reason: reason }).where('id', '=', id).execute();
  await trx
    .updateTable('webhook_deliveries')
    .set({
      status: 'failed',
      next_attempt_at: null,
      error: sql<string>`coalesce(error, ${reason ?? 'The webhook was paused before this event was sent.'})`,
    })
    .where('webhook_id', '=', id)
    .where('status', '=', 'pending')
    .execute();
}

export async function deleteWebhooksOfUser(trx: Db, userId: number): Promise<void> {
  await trx.deleteFrom('webhooks').where('user_id', '=', userId).execute();
}
