import { type ManualChange, type PaidTier, plans, type Tier } from '#shared/subscriptions.ts';
import type { Context } from '../context.ts';
import { changeAtStripe } from './change-at-stripe.ts';
import { costsMore } from './costs-more.ts';
import { asOf } from './own-subscription.ts';
import { startCheckout } from './start-checkout.ts';
import {
  deleteSubscription,
  findSubscription,
  lockSubscription,
  type StoredSubscription,
  saveSubscription,
} from './store.ts';
import { toldOf } from './told-of.ts';

/**
 * Changes what the person pays for. What costs more leads to a checkout; what costs less counts from the next period on; the plan
 * that they have takes back what was planned; `free` cancels.
 * @param origin of the page that asks, for the way back from a checkout
 */
export async function changeManually(
  context: Context,
  userId: number,
  tier: Tier,
  origin: string,
): Promise<ManualChange> {
  const { db, now } = context;
  const current = asOf(await findSubscription(db, userId), now());
  if (!current && tier === 'free') {
    return answer({ done: 'ended', message: 'There is nothing to cancel: you pay for nothing.' });
  }
  if (tier !== 'free' && (!current || costsMore(tier, current.tier))) {
    const { url } = await startCheckout(context, userId, tier, origin);
    return { cancelled: false, redirect: true, url };
  }
  if (!current?.subscriptionId) return changeSimulated(context, userId, tier);
  return changeAtStripe(context, userId, current.subscriptionId, tier, origin);
}

async function changeSimulated({ db, now }: Context, userId: number, tier: Tier): Promise<ManualChange> {
  return await db.transaction().execute(async (trx) => {
    const current = asOf(await lockSubscription(trx, userId), now());
    // Changed meanwhile in another window, whose answer has told.
    if (!current || costsMore(tier, current.tier)) {
      return answer({ done: 'nothing', message: 'Your subscription is another one by now. Please look again.' });
    }
    if (tier === 'free') {
      await deleteSubscription(trx, userId);
      const message = `Your ${plans[current.tier].name} subscription has ended. You keep Full Access.`;
      return answer({ done: 'cancelled', message });
    }
    await saveSubscription(trx, userId, { ...current, ...planned(current, tier) });
    return answer(toldOf(current, tier));
  });
}

/** The status when the next period is to be one of `tier`. */
function planned(current: StoredSubscription, tier: PaidTier): Pick<StoredSubscription, 'status' | 'nextTier'> {
  return tier === current.tier ? { status: 'active', nextTier: null } : { status: 'ending', nextTier: tier };
}

const answer = (told: Pick<ManualChange, 'done' | 'message'>): ManualChange => ({
  cancelled: told.done === 'cancelled',
  redirect: false,
  ...told,
});
