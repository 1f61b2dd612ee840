import { Alert, Group, Stack } from '@mantine/core';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { CircleCheck, Info } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useSession } from '../../../accounts/sessions/session.tsx';
import { subscriptionQuery } from '../../../accounts/subscriptions/queries.ts';
import { scheduleUidRemoval, takeReturnPath } from '../../../accounts/subscriptions/subscriptions.ts';
import { paths } from '../../../paths.ts';
import { restoreFocus } from '../../../platform/focus.ts';
import { Button, Spinner } from '../../../ui/button.tsx';
import { replaceToasts, toast } from '../../../ui/toast.tsx';
import { accountSearch } from '../search.ts';
import { isKnown, needsConfirmation, type Payment, type SubscriptionState } from './use-subscription.ts';

/**
 * Reads the result of a payment from the URL once the session is loaded, and removes it there, so that a reload does
 * not show it again. Then redirects to the screen where the user started the payment. `forget` hides the result.
 */
export function usePaymentReturn(): { payment: Payment | undefined; forget(): void } {
  const { search, state, href } = useLocation();
  const { subscription: outcome, tier, test, tab } = accountSearch.parse(search);
  const isSimulated = state.simulated ?? false;
  const isLoaded = useSession().user !== undefined;
  const navigate = useNavigate();
  const router = useRouter();
  const queries = useQueryClient();
  const result = useMemo((): Payment | undefined => {
    if (outcome === undefined && test === undefined) return undefined;
    return { outcome, tier, isTest: test !== undefined, isSimulated };
  }, [outcome, tier, test, isSimulated]);
  // In the first rendering, which the server makes too, so that nothing moves when it appears.
  const [payment, setPayment] = useState(result);
  const handled = useRef('');
  useEffect(() => {
    if (!isLoaded || handled.current === href) return;
    const isFirst = handled.current === '';
    handled.current = href;
    const returnPath = takeReturnPath() ?? (result && paths.account);
    if (returnPath === undefined) return;
    scheduleUidRemoval();
    if (returnPath === paths.account) {
      // The first one is shown already.
      if (!isFirst) setPayment(result);
      void navigate({ to: paths.account, search: { tab }, replace: true });
      return;
    }
    if (result && !isSimulated) void announce(queries, result);
    router.history.replace(returnPath);
  }, [isLoaded, href, result, tab, isSimulated, navigate, router, queries]);
  return { payment, forget: () => setPayment(undefined) };
}

/** Says on another screen than the account how a payment ended, as far as the server knows. */
async function announce(queries: QueryClient, payment: Payment): Promise<void> {
  // If the server does not respond, it has not confirmed anything.
  const subscription = needsConfirmation(payment)
    ? await queries.fetchQuery(subscriptionQuery).catch(() => undefined)
    : undefined;
  if (needsConfirmation(payment) && !isKnown(payment, subscription)) {
    replaceToasts({
      title: `Confirming your ${subjectOf(payment)}`,
      description: 'My Account shows your plan as soon as it is confirmed.',
    });
  } else replaceToasts({ ...paymentMessage(payment), tone: 'success' });
}

const subjectOf = ({ outcome }: Payment) => (outcome === 'success' ? 'payment' : 'change');

/** The message that the user sees after coming back. */
function paymentMessage({ outcome, isTest, isSimulated }: Payment): { title: string; description: string } {
  if (outcome === 'canceled') {
    return { title: 'Checkout canceled', description: 'Nothing was charged.' };
  }
  if (isTest) return { title: 'Test checkout', description: 'This was a test: nothing was charged.' };
  if (outcome === 'ending') {
    return { title: 'Subscription Cancelled', description: 'It ends after the paid month. You keep Full Access.' };
  }
  if (outcome === 'scheduled') {
    return { title: 'Downgrade Scheduled', description: 'The cheaper plan starts after the paid month.' };
  }
  if (isSimulated) {
    return { title: 'Subscription Activated', description: 'The checkout was simulated: nothing was charged.' };
  }
  return { title: 'Payment successful', description: 'Thank you for supporting Linksieve.' };
}

interface PaymentNoticeProps {
  payment: Payment;
  state: Pick<SubscriptionState, 'isUnconfirmed' | 'isPolling' | 'expectChange'>;
}

/**
 * The result of a payment, also as a toast unless the checkout has already shown it. Until the payment provider has
 * confirmed it to the server, says so instead. Stays visible until the user leaves the screen.
 */
export function PaymentNotice({ payment, state: { isUnconfirmed, isPolling, expectChange } }: PaymentNoticeProps) {
  const [confirmed, setConfirmed] = useState<Payment>();
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isUnconfirmed || confirmed === payment) return;
    // Later changes of the subscription do not take the confirmation back.
    setConfirmed(payment);
    if (!payment.isSimulated) toast({ ...paymentMessage(payment), tone: 'success' });
  }, [payment, isUnconfirmed, confirmed]);
  const { title, description } = paymentMessage(payment);
  const isWaiting = isUnconfirmed && confirmed !== payment;
  const isGood = payment.outcome === 'success' && !isWaiting;
  const subject = subjectOf(payment);
  const Icon = isGood ? CircleCheck : Info;
  // Not an alert role: screen readers have already announced the toast.
  return (
    <Alert
      ref={notice}
      tabIndex={-1}
      color={isGood ? 'green' : 'brand'}
      role="note"
      title={isWaiting ? `Confirming your ${subject}` : title}
      icon={<Icon size={18} aria-hidden />}
    >
      {isWaiting ? (
        <Stack gap="xs" align="flex-start">
          <Group role="status" wrap="nowrap" gap={8}>
            {isPolling && <Spinner />}
            {isPolling
              ? `Waiting for the ${subject} to be confirmed`
              : `The ${subject} is not confirmed yet. This can take a few minutes. Check again later.`}
          </Group>
          {!isPolling && (
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                expectChange();
                // The pressed button disappears.
                restoreFocus(() => notice.current);
              }}
            >
              Check again
            </Button>
          )}
        </Stack>
      ) : (
        description
      )}
    </Alert>
  );
}
