import { Alert } from '@mantine/core';
import { getRouteApi, Navigate } from '@tanstack/react-router';
import { Check, TriangleAlert } from 'lucide-react';
import { planFeatures, plans } from '#shared/subscriptions.ts';
import { pageState } from '../lib/page-state.ts';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { useUser } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import classes from './checkout.module.css';
import { CheckoutFrame } from './checkout-frame.tsx';
import { monthlyPrice, searchesOf } from './subscriptions.ts';
import { useConfirm } from './use-confirm.ts';

const route = getRouteApi('/signed-in/simulate-checkout');

/** The checkout of a server that takes no payments: everything but the payment happens. Where payments are taken it leads to them. */
export function SimulateCheckoutPage() {
  useTitle('Checkout');
  const { tier } = route.useSearch();
  const { press, error, isBusy } = useConfirm(tier);
  const { searchLimit } = useUser();
  const plan = plans[tier];
  const { takesPayments } = pageState();
  // Stripe has no checkout of what costs nothing.
  if (takesPayments && tier === 'free') return <Navigate to={paths.account} replace />;
  return (
    <CheckoutFrame
      title="Checkout"
      lead="Every feature of Linksieve is free. A plan keeps the site going, and changes nothing for you."
    >
      <div className={classes.plan}>
        <h2>{plan.name}</h2>
        <p className={classes.price}>{monthlyPrice(plan)}</p>
      </div>
      <ul className={classes.features}>
        {[searchesOf(searchLimit), ...planFeatures].map((feature) => (
          <li key={feature}>
            <Check size={14} aria-hidden />
            {feature}
          </li>
        ))}
      </ul>
      <p className={classes.note}>
        {takesPayments
          ? 'Nothing is charged here: the next page is that of Stripe, where you pay or leave.'
          : 'This checkout is simulated: no real payment is processed, and no card is asked for.'}
      </p>
      {error && !isBusy && (
        <Alert color="red" variant="light" role="alert" icon={<TriangleAlert size={18} aria-hidden />}>
          {error.message || 'Failed to process subscription'}
        </Alert>
      )}
      <div className={classes.buttons}>
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
