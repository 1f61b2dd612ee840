import { Alert } from '@mantine/core';
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { CircleCheck, Info } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type * as z from 'zod/mini';
import type { PaidTier } from '#shared/subscriptions.ts';
import { paths } from '../../paths.ts';
import { useSession } from '../../session/session.tsx';
import { scheduleUidRemoval, takeReturnPath } from '../../subscriptions/subscriptions.ts';
import { toast } from '../../ui/toast.tsx';
import { accountSearch } from '../search.ts';

/** What a person did on the page before: at a checkout, or on Stripe's customer portal. */
export interface Payment {
  /** undefined: all that the address says is that it was a test. */
  outcome: z.infer<typeof accountSearch>['subscription'];
  /** What was paid for, where there was another plan before. */
  tier?: PaidTier | undefined;
  isTest: boolean;
  /** Nothing was paid, and the screen before has said what was done. */
  isSimulated: boolean;
}

/**
 * What the address says of a payment, told once: then it leaves the address, so that a reload or the back button tells nothing
 * anew. A person who set out elsewhere is sent back there. Waits for the session. After `forget` it is told no more.
 */
export function usePaymentReturn(): { payment: Payment | undefined; forget(): void } {
  const { search, state, href } = useLocation();
  const { subscription: outcome, tier, test, tab } = accountSearch.parse(search);
  const isSimulated = state.simulated ?? false;
  const isLoaded = useSession().user !== undefined;
  const navigate = useNavigate();
  const router = useRouter();
  const [payment, setPayment] = useState<Payment>();
  const handled = useRef('');
  useEffect(() => {
    if (!isLoaded || handled.current === href) return;
    handled.current = href;
    const isBack = outcome !== undefined || test !== undefined;
    const returnPath = takeReturnPath() ?? (isBack ? paths.account : undefined);
    if (returnPath === undefined) return;
    scheduleUidRemoval();
    if (isBack) {
      const told: Payment = { outcome, tier, isTest: test !== undefined, isSimulated };
      setPayment(told);
      if (!isSimulated) toast({ ...paymentWords(told), tone: 'success' });
    }
    if (returnPath === paths.account) void navigate({ to: paths.account, search: { tab }, replace: true });
    else router.history.replace(returnPath);
  }, [isLoaded, href, outcome, tier, test, tab, isSimulated, navigate, router]);
  return { payment, forget: () => setPayment(undefined) };
}

/** What a person is told who comes back. */
function paymentWords({ outcome, isTest, isSimulated }: Payment): { title: string; description: string } {
  const test = 'This was a test: no money moved.';
  if (outcome === undefined) return { title: 'Test checkout', description: test };
  if (outcome === 'canceled') {
    return { title: 'Checkout canceled', description: isTest ? test : 'Nothing was charged.' };
  }
  if (outcome === 'ending') {
    return { title: 'Subscription Cancelled', description: 'It ends with the paid month. You keep Full Access.' };
  }
  if (outcome === 'scheduled') {
    return { title: 'Downgrade Scheduled', description: 'The lower plan begins with the next month.' };
  }
  if (isSimulated) {
    return { title: 'Subscription Activated', description: 'The checkout was simulated: no money moved.' };
  }
  return { title: 'Payment successful', description: isTest ? test : 'Thank you for supporting Linksieve.' };
}

/** What was done, for as long as the person stays on the screen. */
export function PaymentNotice({ payment }: { payment: Payment }) {
  const { title, description } = paymentWords(payment);
  const isGood = payment.outcome === 'success';
  const Icon = isGood ? CircleCheck : Info;
  // The toast has said it aloud.
  return (
    <Alert
      color={isGood ? 'green' : 'brand'}
      variant="light"
      role="note"
      title={title}
      icon={<Icon size={18} aria-hidden />}
    >
      {description}
    </Alert>
  );
}
