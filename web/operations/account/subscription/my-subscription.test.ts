import { expect, it } from 'vitest';
import type { Subscription } from '#shared/accounts/subscriptions.ts';
import { changesOf } from './my-subscription.tsx';

const offered = (subscription: Partial<Subscription>) =>
  changesOf({
    tier: 'business',
    status: 'active',
    nextTier: null,
    periodEndsAt: null,
    simulated: false,
    ...subscription,
  }).map(({ kind, tier }) => `${kind} ${tier}`);

it('offers a downgrade for the most expensive plan, an upgrade for the cheapest, and cancellation for both', () => {
  expect(offered({ tier: 'business' })).toEqual(['downgrade standard', 'cancel free']);
  expect(offered({ tier: 'standard' })).toEqual(['upgrade business', 'cancel free']);
  expect(offered({ tier: 'standard', status: 'overdue' })).toEqual(['upgrade business', 'cancel free']);
});

it('offers to undo a scheduled change, and does not offer it again', () => {
  expect(offered({ status: 'ending', nextTier: 'standard' })).toEqual(['keep business', 'cancel free']);
  expect(offered({ tier: 'standard', status: 'ending', nextTier: 'free' })).toEqual([
    'keep standard',
    'upgrade business',
  ]);
});
