import { Alert, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { plans, type Tier, testCheckout, tiers } from '#shared/accounts/subscriptions.ts';
import { paths } from '../../paths.ts';
import { call } from '../../platform/api.ts';
import { useSingleFlight } from '../../platform/use-single-flight.ts';
import { useTitle } from '../../platform/use-title.ts';
import { Button } from '../../ui/button.tsx';
import { useSession } from '../sessions/session.tsx';
import styles from './checkout.module.css';
import { CheckoutFrame } from './checkout-frame.tsx';
import { clearReturnUrl, monthlyPrice, saveReturnUrl, useGoToCheckout } from './subscriptions.ts';

/** Opens a test checkout of the payment provider for any email address, and comes back here afterwards. */
export function TestStripePage() {
  useTitle('Test Stripe');
  const [email, setEmail] = useState('');
  const { attempt, press, isBusy } = useTestCheckout();
  const trimmed = email.trim();
  return (
    <CheckoutFrame title="Test Stripe" lead="For testing only, not for production. It does not change anyone's plan.">
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
      <div className={styles.tiers}>
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
        <Alert color="red" role="alert" icon={<TriangleAlert size={18} aria-hidden />}>
          {attempt.error.message || 'Unknown error occurred'}
        </Alert>
      )}
    </CheckoutFrame>
  );
}

/** Requests a checkout that changes no account's plan, and opens it. Its error says what went wrong. */
function useTestCheckout() {
  const { user } = useSession();
  const { goToCheckout, isLeaving } = useGoToCheckout();
  const attempt = useMutation({
    mutationFn: async ({ tier, email }: { tier: Tier; email: string }) => {
      saveReturnUrl(user?.firebaseUid ?? null);
      const back = (query: string) => `${location.origin}${paths.account}?${query}`;
      const result = await call(testCheckout, {
        body: {
          tier,
          email,
          successUrl: back('subscription=success&test=true'),
          cancelUrl: back('subscription=canceled'),
        },
      });
      if (!result?.success) throw new Error(result?.message || 'Failed to create checkout session');
      if (!result.url) throw new Error(result.message || 'No checkout URL available');
      if (!goToCheckout(result.url)) clearReturnUrl();
    },
    onError: clearReturnUrl,
  });
  return { attempt, press: useSingleFlight(attempt.mutate), isBusy: attempt.isPending || isLeaving };
}
