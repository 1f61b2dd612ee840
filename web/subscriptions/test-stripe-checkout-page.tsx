import { Alert } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ExternalLink, TriangleAlert } from 'lucide-react';
import { plans, startCheckout, type Tier, tiers } from '#shared/subscriptions.ts';
import { buildUrl } from '../lib/api.ts';
import { useSingleFlight } from '../lib/use-single-flight.ts';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { useSession } from '../session/session.tsx';
import { Button, ButtonAnchor } from '../ui/button.tsx';
import { TextLink } from '../ui/screen.tsx';
import { ErrorState } from '../ui/states.tsx';
import classes from './checkout.module.css';
import { CheckoutFrame } from './checkout-frame.tsx';
import { monthlyPrice, toWebUrl } from './subscriptions.ts';

/** Asks for a checkout as the account does, and shows what the server answers. */
export function TestStripeCheckoutPage() {
  useTitle('Test Stripe checkout');
  const session = useSession();
  const attempt = useMutation({
    mutationFn: ({ tier, userId }: { tier: Tier; userId: number }) => tryCheckout(tier, userId),
  });
  const press = useSingleFlight(attempt.mutate);
  const { user } = session;
  const answer = attempt.isPending ? undefined : attempt.data;
  return (
    <CheckoutFrame title="Test Stripe checkout" lead="For trying things out, not for production.">
      {session.state === 'visitor' && (
        <p className={classes.told}>
          You must be logged in to test checkout:{' '}
          <TextLink to={paths.auth} underline="always">
            Sign In
          </TextLink>
        </p>
      )}
      {session.state === 'failed' && <ErrorState error={session.error} onRetry={session.retry} />}
      <div className={classes.tiers}>
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
      <div role="status" className={classes.told}>
        {answer?.direct && 'The direct flag is set: the free tier is sent on without a checkout.'}
      </div>
      {answer?.problem && (
        <Alert color="red" variant="light" role="alert" icon={<TriangleAlert size={18} aria-hidden />}>
          {answer.problem}
        </Alert>
      )}
      {answer && answer.response !== '' && (
        <section aria-label="Response">
          <pre className={classes.response}>{answer.response}</pre>
        </section>
      )}
      <OpenCheckout url={answer?.url} />
      <p className={classes.note}>
        In Stripe's test mode the card 4242 4242 4242 4242 pays, with any date to come and any security code.
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

/** What the server answered to a checkout that was tried out. */
interface CheckoutTry {
  /** As it came. */
  response: string;
  /** A whole address. */
  url?: string;
  /** Nothing to pay, and so no checkout. */
  direct: boolean;
  problem?: string;
}

/** Asks for a checkout, and takes whatever comes for an answer: the page is there to show it. */
async function tryCheckout(tier: Tier, userId: number): Promise<CheckoutTry> {
  const answer = await fetch(buildUrl(startCheckout), {
    method: startCheckout.method,
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tier, userId }),
  }).catch(() => undefined);
  if (!answer) return { response: '', direct: false, problem: 'Failed to test checkout' };
  const response = await answer.text();
  let body: { url?: unknown; direct?: unknown; error?: unknown } | null;
  try {
    body = JSON.parse(response);
  } catch {
    return { response, direct: false, problem: `Invalid JSON response: ${response.slice(0, 100)}` };
  }
  const read = { response, direct: body?.direct === true };
  if (!answer.ok) {
    const sentence = typeof body?.error === 'string' ? body.error : '';
    return { ...read, problem: sentence || 'Failed to test checkout' };
  }
  const url = typeof body?.url === 'string' && body.url !== '' ? toWebUrl(body.url) : undefined;
  return url === undefined ? { ...read, problem: 'No checkout URL in response' } : { ...read, url };
}
