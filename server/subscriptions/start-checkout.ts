import { type Checkout, plans, type Tier } from '#shared/subscriptions.ts';
import type { Context } from '../context.ts';
import { conflict } from '../http/errors.ts';
import { beginSession } from './begin-session.ts';
import { costsMore } from './costs-more.ts';
import { findSubscription } from './store.ts';

/**
 * Where the person pays for a plan; nobody has paid by it. Without Stripe that is the simulated checkout. Throws 409 for a plan that
 * they pay for already, or a lower one, and 503 when Stripe is away.
 * @param origin where Stripe leads back to
 */
export async function startCheckout(context: Context, userId: number, tier: Tier, origin: string): Promise<Checkout> {
  if (tier === 'free') return { direct: true, url: '/account' };
  const { db, stripe } = context;
  if (!stripe) {
    return { direct: false, url: `/simulate-checkout?${new URLSearchParams({ tier, userId: String(userId) })}` };
  }
  const current = await findSubscription(db, userId);
  if (current?.provider === 'stripe' && !costsMore(tier, current.tier)) {
    throw conflict(`You pay for ${plans[current.tier].name} already. Please change that on your account page.`);
  }
  return { direct: false, url: await beginSession(context, stripe, userId, tier, origin) };
}
