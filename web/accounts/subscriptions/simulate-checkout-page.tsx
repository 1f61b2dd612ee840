import { Alert } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { Check, TriangleAlert } from 'lucide-react';
import * as z from 'zod/mini';
import { planFeatures, plans, simulateSuccess, Tier } from '#shared/accounts/subscriptions.ts';
import { paths } from '../../paths.ts';
import { call } from '../../platform/api.ts';
import { pageState } from '../../platform/page-state.ts';
import { useScreenSearch } from '../../platform/use-list-url.ts';
import { useIsCurrentScreen, useSingleFlight } from '../../platform/use-single-flight.ts';
import { useTitle } from '../../platform/use-title.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { sessionKey, sessionQuery, setSession, useUser } from '../sessions/session.tsx';
import styles from './checkout.module.css';
import { CheckoutFrame } from './checkout-frame.tsx';
import { subscriptionQuery } from './queries.ts';
import { formatSearchLimit, monthlyPrice, useGoToCheckout } from './subscriptions.ts';

/**
 * The search parameters of the simulated checkout. A `userId` in the URL is ignored: users always pay for themselves.
 */
const checkoutSearch = z.object({ tier: z.catch(Tier, 'standard') });

/** A checkout without a payment, for servers that take no payments. If payments are real, it continues to Stripe. */
export function SimulateCheckoutPage() {
  useTitle('Checkout');
  const { tier } = useScreenSearch(checkoutSearch);
  const { press, error, isBusy } = useConfirm(tier);
  const { searchLimit } = useUser();
  const plan = plans[tier];
  const { takesPayments } = pageState();
  // Stripe has no checkout for the free plan.
  if (takesPayments && tier === 'free') return <Navigate to={paths.account} replace />;
  return (
    <CheckoutFrame
      title="Checkout"
      lead="Every feature of Linksieve is free. A paid plan supports the site and adds no features."
    >
      <div className={styles.plan}>
        <h2>{plan.name}</h2>
        <p className={styles.price}>{monthlyPrice(plan)}</p>
      </div>
      <ul className={styles.features}>
        {[formatSearchLimit(searchLimit), ...planFeatures].map((feature) => (
          <li key={feature}>
            <Check size={14} aria-hidden />
            {feature}
          </li>
        ))}
      </ul>
      <p className={styles.note}>
        {takesPayments
          ? 'You are not charged here. You can pay or cancel on the next page, at Stripe.'
          : 'This checkout is simulated: no real payment is processed, and no card is needed.'}
      </p>
      {error && !isBusy && (
        <Alert color="red" role="alert" icon={<TriangleAlert size={18} aria-hidden />}>
          {error.message || 'Failed to process subscription'}
        </Alert>
      )}
      <div className={styles.buttons}>
        <Button loading={isBusy} onClick={() => press()}>
          {isBusy ? 'Processing...' : `Confirm ${plan.name} Subscription`}
        </Button>
        {isBusy ? (
          <Button variant="default" disabled>
            Cancel
          </Button>
        ) : (
          <ButtonLink to={paths.pricing} search={{ subscription: 'canceled' }} variant="default">
            Cancel
          </ButtonLink>
        )}
      </div>
    </CheckoutFrame>
  );
}

/** Completes the simulated checkout and goes to the account. If payments are real, goes to Stripe's checkout. */
function useConfirm(tier: Tier) {
  const { id } = useUser();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { goToCheckout, isLeaving } = useGoToCheckout();
  const isShown = useIsCurrentScreen();
  const confirm = useMutation({
    mutationFn: async () => {
      const result = await call(simulateSuccess, { query: { tier, userId: id } });
      if (result?.redirect ? !result.url : !result?.user) throw new Error('Failed to process subscription');
      return result;
    },
    onSuccess: async ({ redirect, url = '', user }) => {
      if (redirect) {
        goToCheckout(url);
        return;
      }
      const updatedUser = user ?? (await queries.fetchQuery(sessionQuery));
      toastSuccess('Subscription Activated', `${plans[tier].name} is active. Nothing was charged.`);
      if (!isShown()) {
        // The user is on another screen, so keep the data loaded there.
        queries.setQueryData(sessionKey, updatedUser);
        return queries.invalidateQueries({ queryKey: subscriptionQuery.queryKey });
      }
      setSession(queries, updatedUser);
      // Replace the checkout in the history, so that going back does not open it again.
      await navigate({
        to: paths.account,
        search: { subscription: 'success' },
        state: { simulated: true },
        replace: true,
      });
    },
    onError: () => toastError('Subscription Error', 'There was a problem activating your subscription.'),
  });
  return { press: useSingleFlight(confirm.mutate), error: confirm.error, isBusy: confirm.isPending || isLeaving };
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether the user comes from the simulated checkout, which has already shown a toast. */
    simulated?: boolean;
  }
}
