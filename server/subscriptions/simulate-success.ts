import type { SimulatedSuccess, Tier } from '#shared/subscriptions.ts';
import { readUser } from '../accounts/accounts.ts';
import type { Context } from '../context.ts';
import { unavailable } from '../http/errors.ts';
import { simulatedPeriod } from './own-subscription.ts';
import { startCheckout } from './start-checkout.ts';
import { deleteSubscription, lockSubscription, saveSubscription } from './store.ts';

/**
 * Settles a simulated checkout. Where payments are real it settles nothing, and leads to a checkout. Throws 503 where they were real
 * before, and the person paid for a plan.
 * @param origin of the page that asks, for the way back
 */
export async function simulateSuccess(
  context: Context,
  userId: number,
  tier: Tier,
  origin: string,
): Promise<SimulatedSuccess> {
  if (context.stripe) return { redirect: true, url: (await startCheckout(context, userId, tier, origin)).url };
  const now = context.now();
  await context.db.transaction().execute(async (trx) => {
    // From a time when payments were real: it is Stripe's word that ends it.
    if ((await lockSubscription(trx, userId))?.provider === 'stripe') {
      throw unavailable('Payments are switched off on this server. Please write to us on the contact page.');
    }
    if (tier === 'free') return await deleteSubscription(trx, userId);
    await saveSubscription(trx, userId, {
      provider: 'simulated',
      tier,
      status: 'active',
      nextTier: null,
      periodEndsAt: new Date(now.getTime() + simulatedPeriod),
      startedAt: now,
      customerId: null,
      subscriptionId: null,
    });
  });
  return { redirect: false, user: await readUser(context, userId) };
}
