import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { getAccount } from '../accounts/accounts.ts';
import type { Context } from '../context.ts';
import { isMailbox } from '../mail/letter.ts';
import { forgetCustomer, openCustomer, saveCustomer } from './store-customers.ts';
import { isFinal } from './stripe.ts';

/**
 * Who the person is at Stripe: one customer before the first checkout and ever after, so that whatever they are credited with is
 * theirs when they pay again. Throws what Stripe answers, 401 where the account has just gone.
 */
export async function customerOf({ db }: Pick<Context, 'db'>, stripe: Stripe, userId: number): Promise<string> {
  const { email } = await getAccount(db, userId);
  const { key, customerId } = await openCustomer(db, userId);
  if (customerId) return customerId;
  const customer = { metadata: { userId }, ...(isMailbox(email) && { email }) };
  try {
    const { id } = await stripe.customers.create(customer, { idempotencyKey: keyOf(key, customer) });
    return await saveCustomer(db, userId, id);
  } catch (error) {
    if (isFinal(error)) await forgetCustomer(db, userId);
    throw error;
  }
}

/** Stripe refuses a key that comes with other parameters: they are part of it. */
export const keyOf = (id: string, parameters: object) =>
  `${id}-${createHash('sha256').update(JSON.stringify(parameters)).digest('hex').slice(0, 16)}`;
