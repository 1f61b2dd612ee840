import { Alert, TextInput } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { plans, tiers } from '#shared/subscriptions.ts';
import { useTitle } from '../lib/use-title.ts';
import { Button } from '../ui/button.tsx';
import classes from './checkout.module.css';
import { CheckoutFrame } from './checkout-frame.tsx';
import { monthlyPrice } from './subscriptions.ts';
import { useTestCheckout } from './use-test-checkout.ts';

/** Tries the payment provider's checkout for any e-mail address, and comes back here. */
export function TestStripePage() {
  useTitle('Test Stripe');
  const [email, setEmail] = useState('');
  const { attempt, press, isBusy } = useTestCheckout();
  const trimmed = email.trim();
  return (
    <CheckoutFrame title="Test Stripe" lead="For trying things out, not for production. It changes nobody's plan.">
      <TextInput
        label="Email"
        type="text"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        size="md"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <div className={classes.tiers}>
        {tiers.map((tier) => (
          <Button
            key={tier}
            variant="default"
            disabled={trimmed === ''}
            loading={isBusy && attempt.variables?.tier === tier}
            onClick={() => !isBusy && press({ tier, email: trimmed })}
          >
            {plans[tier].name} {monthlyPrice(plans[tier])}
          </Button>
        ))}
      </div>
      {attempt.isError && !isBusy && (
        <Alert color="red" variant="light" role="alert" icon={<TriangleAlert size={18} aria-hidden />}>
          {attempt.error.message || 'Unknown error occurred'}
        </Alert>
      )}
    </CheckoutFrame>
  );
}
