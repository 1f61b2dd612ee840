import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { paths } from '../paths.ts';
import { useSession } from '../session/session.tsx';
import { forgetUidLater, takeReturnPath } from '../subscriptions/subscriptions.ts';
import { toast } from '../ui/toast.tsx';
import { paymentWords } from './payment-words.ts';
import { accountSearch } from './search.ts';

/** How a checkout ended. */
export interface Payment {
  /** undefined: all that the address says is that it was a test. */
  outcome: 'success' | 'canceled' | undefined;
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
  const { subscription: outcome, test, tab } = accountSearch.parse(search);
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
    forgetUidLater();
    if (isBack) {
      const told: Payment = { outcome, isTest: test !== undefined, isSimulated };
      setPayment(told);
      if (!isSimulated) toast({ ...paymentWords(told), tone: 'success' });
    }
    if (returnPath === paths.account) void navigate({ to: paths.account, search: { tab }, replace: true });
    else router.history.replace(returnPath);
  }, [isLoaded, href, outcome, test, tab, isSimulated, navigate, router]);
  return { payment, forget: () => setPayment(undefined) };
}
