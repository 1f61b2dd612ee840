import { Alert } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ExternalLink, TriangleAlert } from 'lucide-react';
import { plans, startCheckout, type Tier, tiers } from '#shared/accounts/subscriptions.ts';
import { paths } from '../../paths.ts';
import { buildUrl } from '../../platform/api.ts';
import { useSingleFlight } from '../../platform/use-single-flight.ts';
import { useTitle } from '../../platform/use-title.ts';
import { Button, ButtonAnchor } from '../../ui/button.tsx';
import { TextLink } from '../../ui/screen.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useSession } from '../sessions/session.tsx';
import styles from './checkout.module.css';
import { CheckoutFrame } from './checkout-frame.tsx';
import { monthlyPrice, toWebUrl } from './subscriptions.ts';

/** Requests a checkout in the same way as the account screen, and shows the server's response. */
export function TestStripeCheckoutPage() {
  useTitle('Test Stripe checkout');
  const session = useSession();
  const attempt = useMutation({
    mutationFn: ({ tier, userId }: { tier: Tier; userId: number }) => tryCheckout(tier, userId),
  });
  const press = useSingleFlight(attempt.mutate);
  const { user } = session;
  const result = attempt.isPending ? undefined : attempt.data;
  return (
    <CheckoutFrame title="Test Stripe checkout" lead="For testing only, not for production.">
      {session.state === 'visitor' && (
        <p className={styles.message}>
          You must be logged in to test checkout:{' '}
          <TextLink to={paths.auth} underline="always">
            Sign In
          </TextLink>
        </p>
      )}
      {session.state === 'failed' && <ErrorState error={session.error} onRetry={session.retry} />}
      <div className={styles.tiers}>
        {tiers.map((tier) => (
          <Button
            key={tier}
            variant="default"
            disabled={!user}
            loading={attempt.isPending && attempt.variables.tier === tier}
            onClick={() => user && press({ tier, userId: user.id })}
          >
            {plans[tier].name} {monthlyPrice(plans[tier])}
          </Button>
        ))}
      </div>
      <div role="status" className={styles.message}>
        {result?.direct && 'The direct flag is set: the free tier redirects without a checkout.'}
      </div>
      {result?.problem && (
        <Alert color="red" role="alert" icon={<TriangleAlert size={18} aria-hidden />}>
          {result.problem}
        </Alert>
      )}
      {result && result.response !== '' && (
        <section aria-label="Response">
          <pre className={styles.response}>{result.response}</pre>
        </section>
      )}
      <OpenCheckout url={result?.url} />
      <p className={styles.note}>
        In Stripe's test mode, use the card 4242 4242 4242 4242 with any future date and any security code.
      </p>
    </CheckoutFrame>
  );
}

function OpenCheckout({ url }: { url: string | undefined }) {
  const icon = <ExternalLink size={15} aria-hidden />;
  if (url === undefined) {
    return (
      <Button disabled rightSection={icon}>
        Open Checkout
      </Button>
    );
  }
  return (
    <ButtonAnchor href={url} target="_blank" rel="noopener noreferrer" rightSection={icon}>
      Open Checkout
    </ButtonAnchor>
  );
}

/** The server's response to a test checkout. */
interface TestResult {
  /** The response body as text. */
  response: string;
  /** The absolute URL of the checkout. */
  url?: string;
  /** Whether there is nothing to pay, so that no checkout is needed. */
  direct: boolean;
  problem?: string;
}

/** Requests a checkout. Never throws: this page shows every response, even an invalid one. */
async function tryCheckout(tier: Tier, userId: number): Promise<TestResult> {
  const response = await fetch(buildUrl(startCheckout), {
    method: startCheckout.method,
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tier, userId }),
  }).catch(() => undefined);
  if (!response) return { response: '', direct: false, problem: 'Failed to test checkout' };
  const text = await response.text();
  let body: { url?: unknown; direct?: unknown; error?: unknown } | null;
  try {
    body = JSON.parse(text);
  } catch {
    return { response: text, direct: false, problem: `Invalid JSON response: ${text.slice(0, 100)}` };
  }
  const result = { response: text, direct: body?.direct === true };
  if (!response.ok) {
    const sentence = typeof body?.error === 'string' ? body.error : '';
    return { ...result, problem: sentence || 'Failed to test checkout' };
  }
  const url = typeof body?.url === 'string' && body.url !== '' ? toWebUrl(body.url) : undefined;
  return url === undefined ? { ...result, problem: 'No checkout URL in response' } : { ...result, url };
}
