import { Alert, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { plans, type Tier, testCheckout, tiers } from '#shared/subscriptions.ts';
import { call } from '../lib/api.ts';
import { useSingleFlight } from '../lib/use-single-flight.ts';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { useSession } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import classes from './checkout.module.css';
import { CheckoutFrame } from './checkout-frame.tsx';
import { clearReturnUrl, monthlyPrice, saveReturnUrl, useGoToCheckout } from './subscriptions.ts';

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

/** Asks for a checkout that pays for nobody, and goes there. Its error says what went wrong. */
function useTestCheckout() {
  const { user } = useSession();
  const { goToCheckout, isLeaving } = useGoToCheckout();
  const attempt = useMutation({
    mutationFn: async ({ tier, email }: { tier: Tier; email: string }) => {
      saveReturnUrl(user?.firebaseUid ?? null);
      const back = (query: string) => `${location.origin}${paths.account}?${query}`;
      const answer = await call(testCheckout, {
        body: {
          tier,
          email,
          successUrl: back('subscription=success&test=true'),
          cancelUrl: back('subscription=canceled'),
        },
      });
      if (!answer?.success) throw new Error(answer?.message || 'Failed to create checkout session');
      if (!answer.url) throw new Error(answer.message || 'No checkout URL available');
      if (!goToCheckout(answer.url)) clearReturnUrl();
    },
    onError: clearReturnUrl,
  });
  return { attempt, press: useSingleFlight(attempt.mutate), isBusy: attempt.isPending || isLeaving };
}
