import { Skeleton } from '@mantine/core';
import { useRef } from 'react';
import { restoreFocus } from '../lib/focus.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { MySubscription } from './my-subscription.tsx';
import { PaymentAwaited } from './payment-awaited.tsx';
import classes from './support.module.css';
import { SupportOffer } from './support-offer.tsx';
import { useSubscription } from './use-subscription.ts';

/**
 * What the person pays for, and how to change it; for those who pay for nothing, how to support Linksieve. `onChange` runs after
 * something was done.
 */
export function Support({ paid, onChange }: { paid: boolean; onChange(): void }) {
  const { mine, isUnconfirmed, isAwaited, expectChange } = useSubscription(paid);
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
          isChanging={isUnconfirmed}
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
