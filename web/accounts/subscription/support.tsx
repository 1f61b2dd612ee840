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
  /** What the person did at Stripe just now. */
  payment: Payment | undefined;
  /** Runs after something was done here. */
  onChange(): void;
}

/** What the person pays for, and how to change it; for those who pay for nothing, how to support Linksieve. */
export function Support({ payment, onChange }: Props) {
  const { mine, isUnconfirmed, isChanging, isAwaited, expectChange } = useSubscription(payment);
  const subscription = mine.data;
  const section = useRef<HTMLElement>(null);
  const askAgain = () => {
    expectChange();
    // The button that was pressed goes with what it was for.
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
      {subscription !== undefined && isUnconfirmed && <PaymentAwaited isAsking={isAwaited} onAskAgain={askAgain} />}
      {subscription && (
        <MySubscription
          subscription={subscription}
          isChanging={isChanging}
          onChange={() => {
            onChange();
            askAgain();
          }}
        />
      )}
      {subscription === null && !isUnconfirmed && <SupportOffer />}
    </section>
  );
}

/** A payment was made that the payment provider has not told the server yet. */
function PaymentAwaited({ isAsking, onAskAgain }: { isAsking: boolean; onAskAgain(): void }) {
  return (
    <>
      <div role="status" className={classes.waiting}>
        {isAsking && <Spinner />}
        {isAsking
          ? 'Waiting for the payment to be confirmed'
          : 'The payment is not confirmed yet. That can take some minutes: look again later.'}
      </div>
      {!isAsking && (
        <div className={classes.buttons}>
          <Button size="xs" variant="default" onClick={onAskAgain}>
            Look again
          </Button>
        </div>
      )}
    </>
  );
}

/** How Linksieve can be supported. Nobody needs to. */
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
      <p>Everything is free and stays so. A plan keeps the site going, and changes nothing for you.</p>
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

/** How often to look for a change that the payment provider has not reported yet. */
const polling = { times: 10, everyMs: 2000 };

/** What the person pays for, asked for again a few times while a change is on its way. */
function useSubscription(payment: Payment | undefined) {
  const [left, setLeft] = useState(0);
  const mine = useQuery({ ...subscriptionQuery, refetchInterval: left > 0 ? polling.everyMs : false });
  const { data, dataUpdatedAt, errorUpdatedAt } = mine;
  const isMissing = payment !== undefined && !isKnown(payment, data);

  const known = useRef<string>(undefined);
  useEffect(() => {
    if (dataUpdatedAt === 0 && errorUpdatedAt === 0) return;
    const now = dataUpdatedAt === 0 ? undefined : JSON.stringify(data);
    const isOther = known.current !== undefined && known.current !== now;
    known.current = now;
    // What is simulated is settled at once.
    const isSettled = isOther || (payment ? !isMissing : data?.simulated);
    setLeft((times) => (isSettled ? 0 : Math.max(0, times - 1)));
  }, [data, dataUpdatedAt, errorUpdatedAt, payment, isMissing]);

  useEffect(() => {
    if (payment) setLeft(polling.times);
  }, [payment]);

  const isUnconfirmed = isMissing && payment.outcome === 'success';
  return {
    mine,
    /** Paid, and not there yet. */
    isUnconfirmed,
    /** What is there is the plan before a change: nothing can be done about it until the change is there. */
    isChanging: isUnconfirmed || (isMissing && left > 0),
    /** It is asked for again in a moment. */
    isAwaited: left > 0,
    /** Asks now, and again until there is something else. */
    expectChange: () => {
      setLeft(polling.times);
      void mine.refetch();
    },
  };
}

/** Whether the server knows already what was done at Stripe. Who had a plan before still has it until a payment is there. */
function isKnown({ outcome, tier }: Payment, subscription: Subscription | null | undefined): boolean {
  if (!subscription || subscription.simulated) return false;
  return outcome === 'success' ? tier === undefined || subscription.tier === tier : subscription.status === 'ending';
}
