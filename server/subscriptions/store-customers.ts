import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** The row of a person's customer at Stripe, made where there is none: `key` is random, and the same until it is forgotten. */
export async function openCustomer(db: Db, userId: number): Promise<{ key: string; customerId: string | null }> {
  await db
    .insertInto('stripe_customers')
    .values({ user_id: userId })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute();
  return await db
    .selectFrom('stripe_customers')
    .select(['key', 'customer_id as customerId'])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
}

/** @returns the one that is kept: of two made at once the first */
export async function saveCustomer(db: Db, userId: number, customerId: string): Promise<string> {
  const { kept } = await db
    .updateTable('stripe_customers')
    .set({ customer_id: sql<string>`coalesce(customer_id, ${customerId})` })
    .where('user_id', '=', userId)
    .returning(sql<string>`customer_id`.as('kept'))
    .executeTakeFirstOrThrow();
  return kept;
}

export async function forgetCustomer(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('stripe_customers').where('user_id', '=', userId).execute();
}
