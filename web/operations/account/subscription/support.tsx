import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { plans, startCheckout, type Tier, tiers } from '#shared/accounts/subscriptions.ts';
import { useUser } from '../../../accounts/sessions/session.tsx';
import { monthlyPrice, useGoToCheckout } from '../../../accounts/subscriptions/subscriptions.ts';
import { call } from '../../../platform/api.ts';
import { restoreFocus } from '../../../platform/focus.ts';
import { useSingleFlight } from '../../../platform/use-single-flight.ts';
import { Button } from '../../../ui/button.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { toastError } from '../../../ui/toast.tsx';
import { MySubscription } from './my-subscription.tsx';
import styles from './support.module.css';
import type { SubscriptionState } from './use-subscription.ts';

interface Props {
  state: SubscriptionState;
  /** Called after a change. */
  onChange(): void;
}

/** The user's subscription and how to change it, or how to support Linksieve for users without a subscription. */
export function Support({ state: { mine, isUnconfirmed, isChanging, expectChange }, onChange }: Props) {
  const subscription = mine.data;
  const section = useRef<HTMLElement>(null);
  return (
    <section ref={section} tabIndex={-1} className={styles.support} aria-label="Support">
      {subscription === undefined && <QueryState query={mine} height={96} title="Subscription Error" />}
      {subscription && (
        <MySubscription
          subscription={subscription}
          isChanging={isChanging}
          onChange={() => {
            onChange();
            expectChange();
            // The pressed button may disappear.
            restoreFocus(() => section.current);
          }}
        />
      )}
      {subscription === null &&
        (isUnconfirmed ? <p>Your plan appears here after the confirmation.</p> : <SupportOffer />)}
    </section>
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
      <div className={styles.buttons}>
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
      <FormError error={start.error} />
    </>
  );
}
