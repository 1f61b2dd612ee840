import { Skeleton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { plans, type Subscription, startCheckout, type Tier, tiers } from '#shared/subscriptions.ts';
import { call } from '../../lib/api.ts';
import { restoreFocus } from '../../lib/focus.ts';
import { useSingleFlight } from '../../lib/use-single-flight.ts';
import { useUser } from '../../session/session.tsx';
import { monthlyPrice, useGoToCheckout } from '../../subscriptions/subscriptions.ts';
import { Button, Spinner } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toastError } from '../../ui/toast.tsx';
import { subscriptionQuery } from '../queries.ts';
import { MySubscription } from './my-subscription.tsx';
import type { Payment } from './payment-return.tsx';
import classes from './support.module.css';

interface Props {
  /** What the user has just done at Stripe. */
  payment: Payment | undefined;
  /** Called after a change. */
  onChange(): void;
}

/** The user's subscription and how to change it, or how to support Linksieve for users without a subscription. */
export function Support({ payment, onChange }: Props) {
  const { mine, isUnconfirmed, isChanging, isPolling, expectChange } = useSubscription(payment);
  const subscription = mine.data;
  const section = useRef<HTMLElement>(null);
  const checkAgain = () => {
    expectChange();
    // The pressed button may disappear.
    restoreFocus(() => section.current);
  };
  return (
    <section ref={section} tabIndex={-1} className={classes.support} aria-label="Support">
      {mine.isPending && <Skeleton height={96} aria-hidden />}
      {mine.isError && subscription === undefined && (
        <ErrorState
          title="Subscription Error"
          error={mine.error}
          onRetry={() => void mine.refetch()}
          retrying={mine.isFetching}
        />
      )}
      {subscription !== undefined && isUnconfirmed && (
        <PaymentAwaited isPolling={isPolling} onCheckAgain={checkAgain} />
      )}
      {subscription && (
        <MySubscription
          subscription={subscription}
          isChanging={isChanging}
          onChange={() => {
            onChange();
            checkAgain();
          }}
        />
      )}
      {subscription === null && !isUnconfirmed && <SupportOffer />}
    </section>
  );
}

/** Shown after a payment that the payment provider has not confirmed to the server yet. */
function PaymentAwaited({ isPolling, onCheckAgain }: { isPolling: boolean; onCheckAgain(): void }) {
  return (
    <>
      <div role="status" className={classes.waiting}>
        {isPolling && <Spinner />}
        {isPolling
          ? 'Waiting for the payment to be confirmed'
          : 'The payment is not confirmed yet. This can take a few minutes. Check again later.'}
      </div>
      {!isPolling && (
        <div className={classes.buttons}>
          <Button size="xs" variant="default" onClick={onCheckAgain}>
            Check again
          </Button>
        </div>
      )}
    </>
  );
}

/** Buttons to support Linksieve with a paid plan. */
function SupportOffer() {
  const { id } = useUser();
  const { goToCheckout, isLeaving } = useGoToCheckout();
  const start = useMutation({
    mutationFn: async (tier: Tier) => goToCheckout((await call(startCheckout, { body: { tier, userId: id } })).url),
    onError: (error) =>
      toastError('Subscription Error', error.message || 'The checkout could not be started. Please try again.'),
  });
  const press = useSingleFlight(start.mutate);
  const isBusy = start.isPending || isLeaving;
  return (
    <>
      <h3>Support Linksieve</h3>
      <p>Every feature is free and stays free. A paid plan supports the site and adds no features.</p>
      <div className={classes.buttons}>
        {tiers
          .filter((tier) => plans[tier].pricePerMonth > 0)
          .map((tier) => (
            <Button
              key={tier}
              size="xs"
              variant="default"
              loading={isBusy && start.variables === tier}
              onClick={() => !isBusy && press(tier)}
            >
              {plans[tier].name}, {monthlyPrice(plans[tier])}
            </Button>
          ))}
      </div>
    </>
  );
}

/** How often to poll for a change that the payment provider has not reported yet. */
const polling = { maxAttempts: 10, intervalMs: 2000 };

/** The user's subscription. Polls a few times while a change is pending. */
function useSubscription(payment: Payment | undefined) {
  const [attemptsLeft, setAttemptsLeft] = useState(0);
  const mine = useQuery({ ...subscriptionQuery, refetchInterval: attemptsLeft > 0 ? polling.intervalMs : false });
  const { data, dataUpdatedAt, errorUpdatedAt } = mine;
  const isMissing = payment !== undefined && !isKnown(payment, data);

  const known = useRef<string>(undefined);
  useEffect(() => {
    if (dataUpdatedAt === 0 && errorUpdatedAt === 0) return;
    const now = dataUpdatedAt === 0 ? undefined : JSON.stringify(data);
    const hasChanged = known.current !== undefined && known.current !== now;
    known.current = now;
    // Simulated changes are complete immediately.
    const isComplete = hasChanged || (payment ? !isMissing : data?.simulated);
    setAttemptsLeft((attempts) => (isComplete ? 0 : Math.max(0, attempts - 1)));
  }, [data, dataUpdatedAt, errorUpdatedAt, payment, isMissing]);

  useEffect(() => {
    if (payment) setAttemptsLeft(polling.maxAttempts);
  }, [payment]);

  const isUnconfirmed = isMissing && payment.outcome === 'success';
  return {
    mine,
    /** Whether the user has paid and the server does not know it yet. */
    isUnconfirmed,
    /** Whether `mine` is still the plan before a pending change, so that it cannot be changed. */
    isChanging: isUnconfirmed || (isMissing && attemptsLeft > 0),
    isPolling: attemptsLeft > 0,
    /** Refetches now, and polls until the subscription changes. */
    expectChange: () => {
      setAttemptsLeft(polling.maxAttempts);
      void mine.refetch();
    },
  };
}

/** Whether the server already knows what the user did at Stripe. Until then, it returns the previous plan. */
function isKnown({ outcome, tier }: Payment, subscription: Subscription | null | undefined): boolean {
  if (!subscription || subscription.simulated) return false;
  return outcome === 'success' ? tier === undefined || subscription.tier === tier : subscription.status === 'ending';
}
