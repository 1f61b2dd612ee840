import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type * as z from 'zod/mini';
import type { PaidTier, Subscription } from '#shared/accounts/subscriptions.ts';
import { subscriptionQuery } from '../../../accounts/subscriptions/queries.ts';
import { pageState } from '../../../platform/page-state.ts';
import type { accountSearch } from '../search.ts';

/** What the user did at a checkout or on Stripe's customer portal before coming back. */
export interface Payment {
  /** Undefined if the URL says only that it was a test. */
  outcome: z.infer<typeof accountSearch>['subscription'];
  /** The plan that was paid for, if it replaced another one. */
  tier?: PaidTier | undefined;
  isTest: boolean;
  /** Whether the checkout was simulated. The checkout screen has then already shown the toast. */
  isSimulated: boolean;
}

/** How often to poll for a change that the payment provider has not reported yet. */
const polling = { maxAttempts: 10, intervalMs: 2000 };

export interface SubscriptionState {
  mine: UseQueryResult<Subscription | null>;
  /** Whether the server does not know yet what the user has done at Stripe. */
  isUnconfirmed: boolean;
  /** Whether `mine` is still the plan before a pending change, so that it cannot be changed. */
  isChanging: boolean;
  isPolling: boolean;
  /** Refetches now, and polls until the subscription changes. */
  expectChange(): void;
}

/**
 * The user's subscription. Polls a few times while a change is pending.
 * @param payment what the user has just done at Stripe
 */
export function useSubscription(payment: Payment | undefined): SubscriptionState {
  const [attemptsLeft, setAttemptsLeft] = useState(0);
  const mine = useQuery({ ...subscriptionQuery, refetchInterval: attemptsLeft > 0 ? polling.intervalMs : false });
  const { data, dataUpdatedAt, errorUpdatedAt } = mine;
  const isUnconfirmed = payment !== undefined && !isKnown(payment, data);

  const known = useRef<string>(undefined);
  useEffect(() => {
    if (dataUpdatedAt === 0 && errorUpdatedAt === 0) return;
    const now = dataUpdatedAt === 0 ? undefined : JSON.stringify(data);
    const hasChanged = known.current !== undefined && known.current !== now;
    known.current = now;
    // Simulated changes are complete immediately.
    const isComplete = hasChanged || (payment ? !isUnconfirmed : data?.simulated);
    setAttemptsLeft((attempts) => (isComplete ? 0 : Math.max(0, attempts - 1)));
  }, [data, dataUpdatedAt, errorUpdatedAt, payment, isUnconfirmed]);

  useEffect(() => {
    if (payment) setAttemptsLeft(polling.maxAttempts);
  }, [payment]);

  return {
    mine,
    isUnconfirmed,
    // A payment is not started twice, even if its confirmation takes long.
    isChanging: isUnconfirmed && (payment.outcome === 'success' || attemptsLeft > 0),
    isPolling: attemptsLeft > 0,
    expectChange: () => {
      setAttemptsLeft(polling.maxAttempts);
      void mine.refetch();
    },
  };
}

/** Whether only the server can say that the payment or change was made: the URL can be opened by anyone. */
export const needsConfirmation = ({ outcome, isTest, isSimulated }: Payment): boolean =>
  outcome !== 'canceled' && !isTest && !isSimulated;

/** Whether the server already knows what the user did at Stripe. Until then, it returns the previous plan. */
export function isKnown({ outcome, tier }: Payment, subscription: Subscription | null | undefined): boolean {
  // A simulated plan from before payments were turned on is none that was paid for.
  if (!subscription || (subscription.simulated && pageState().takesPayments)) return false;
  return outcome === 'success' ? tier === undefined || subscription.tier === tier : subscription.status === 'ending';
}
