import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

interface NewSubscription {
  email: string;
  firstName: string | null;
  token: string;
  now: Date;
}

/** What is there for the address already stays as it is. */
export async function insertSubscription(db: Db, { email, firstName, token, now }: NewSubscription): Promise<void> {
  await db
    .insertInto('newsletter_subscriptions')
    .values({ email, first_name: firstName, token, consented_at: now })
    .onConflict((oc) => oc.doNothing())
    .execute();
}

/** Begins anew what was ended. */
export async function renewSubscription(db: Db, email: string, now: Date): Promise<void> {
  await db
    .updateTable('newsletter_subscriptions')
    .set({ consented_at: now, unsubscribed_at: null })
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('unsubscribed_at', 'is not', null)
    .execute();
}

export function findSubscription(db: Db, email: string) {
  return db
    .selectFrom('newsletter_subscriptions')
    .select(['email', 'first_name as firstName', 'consented_at as consentedAt', 'unsubscribed_at as unsubscribedAt'])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();
}

export function findByToken(db: Db, token: string) {
  return db
    .selectFrom('newsletter_subscriptions')
    .select('unsubscribed_at as unsubscribedAt')
    .where('token', '=', token)
    .executeTakeFirst();
}

/** @returns whether there is such a token */
export async function endByToken(db: Db, token: string, now: Date): Promise<boolean> {
  const result = await db
    .updateTable('newsletter_subscriptions')
    .set({ unsubscribed_at: sql<Date>`coalesce(unsubscribed_at, ${now})` })
    .where('token', '=', token)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function endByEmail(db: Db, email: string, now: Date): Promise<void> {
  await db
    .updateTable('newsletter_subscriptions')
    .set({ unsubscribed_at: now })
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('unsubscribed_at', 'is', null)
    .execute();
}

export async function deleteSubscription(db: Db, email: string): Promise<void> {
  await db.deleteFrom('newsletter_subscriptions').where(sql`lower(email)`, '=', email.toLowerCase()).execute();
}
