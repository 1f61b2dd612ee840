import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

interface NewSubscription {
  email: string;
  firstName: string | null;
  token: string;
  now: Date;
}

function insert(db: Db, { email, firstName, token, now }: NewSubscription) {
  return db.insertInto('newsletter_subscriptions').values({ email, first_name: firstName, token, consented_at: now });
}

/** Does nothing when the address already has a subscription, even one that has ended. */
export async function insertSubscription(db: Db, subscription: NewSubscription): Promise<void> {
  await insert(db, subscription)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Inserts a subscription, or restarts one that has ended. */
export async function upsertSubscription(db: Db, subscription: NewSubscription): Promise<void> {
  await insert(db, subscription)
    .onConflict((conflict) =>
      conflict
        .expression(sql`lower(email)`)
        .doUpdateSet({ consented_at: subscription.now, unsubscribed_at: null })
        .where('newsletter_subscriptions.unsubscribed_at', 'is not', null),
    )
    .execute();
}

export function findSubscription(db: Db, email: string) {
  return db
    .selectFrom('newsletter_subscriptions')
    .select(['email', 'first_name as firstName', 'consented_at as consentedAt', 'unsubscribed_at as unsubscribedAt'])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();
}

export function findSubscriptionByToken(db: Db, token: string) {
  return db
    .selectFrom('newsletter_subscriptions')
    .select('unsubscribed_at as unsubscribedAt')
    .where('token', '=', token)
    .executeTakeFirst();
}

/** Ends a subscription. One that has already ended keeps its date. @returns false when the token is unknown */
export async function unsubscribeByToken(db: Db, token: string, now: Date): Promise<boolean> {
  const result = await db
    .updateTable('newsletter_subscriptions')
    .set({ unsubscribed_at: sql<Date>`coalesce(unsubscribed_at, ${now})` })
    .where('token', '=', token)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Does nothing when there is no subscription or it has ended. */
export async function unsubscribeByEmail(db: Db, email: string, now: Date): Promise<void> {
  await db
    .updateTable('newsletter_subscriptions')
    .set({ unsubscribed_at: now })
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('unsubscribed_at', 'is', null)
    .execute();
}

/** Changes the address of a subscription, ended or not. An address that already has one keeps its own. */
export async function moveSubscription(trx: Db, from: string, to: string): Promise<void> {
  const taken = await findSubscription(trx, to);
  if (taken && from.toLowerCase() !== to.toLowerCase()) return await deleteSubscription(trx, from);
  await trx
    .updateTable('newsletter_subscriptions')
    .set({ email: to })
    .where(sql`lower(email)`, '=', from.toLowerCase())
    .execute();
}

export async function deleteSubscription(db: Db, email: string): Promise<void> {
  await db.deleteFrom('newsletter_subscriptions').where(sql`lower(email)`, '=', email.toLowerCase()).execute();
}
