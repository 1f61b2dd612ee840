import { plans, type Subscription, tiers } from '#shared/subscriptions.ts';
import type { SubscriptionChange } from './use-change-subscription.ts';

/** What can be done about a subscription, in the order of the buttons. What is scheduled already is not offered again. */
export function changesOf({ tier, status, nextTier }: Subscription): SubscriptionChange[] {
  const changes: SubscriptionChange[] = [];
  const isEnding = status === 'ending';
  if (isEnding) changes.push({ kind: 'keep', tier });
  for (const other of tiers) {
    const { pricePerMonth } = plans[other];
    if (other === tier || other === 'free') continue;
    if (pricePerMonth > plans[tier].pricePerMonth) changes.push({ kind: 'upgrade', tier: other });
    else if (!isEnding) changes.push({ kind: 'downgrade', tier: other });
  }
  const endsAnyhow = isEnding && (nextTier === null || nextTier === 'free');
  if (!endsAnyhow) changes.push({ kind: 'cancel', tier: 'free' });
  return changes;
}
