import { type ManualChange, plans, type Tier } from '#shared/subscriptions.ts';
import type { StoredSubscription } from './store.ts';

/** What was done, where the next period is to be one of `tier`. When that begins, the screens say in the person's own zone. */
export function toldOf(current: StoredSubscription, tier: Tier): Pick<ManualChange, 'done' | 'message'> {
  const { name } = plans[current.tier];
  if (tier === 'free') {
    return {
      done: 'cancelled',
      message: `Your ${name} subscription ends with the current period. You keep Full Access.`,
    };
  }
  if (tier !== current.tier) {
    return {
      done: 'scheduled',
      message: `Your ${name} subscription becomes ${plans[tier].name} with the next period.`,
    };
  }
  if (current.nextTier) return { done: 'kept', message: `Your ${name} subscription goes on.` };
  return { done: 'nothing', message: `You have the ${name} plan already.` };
}
