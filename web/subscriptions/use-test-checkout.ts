import { useMutation } from '@tanstack/react-query';
import { type Tier, testCheckout } from '#shared/subscriptions.ts';
import { call } from '../lib/api.ts';
import { useOnce } from '../lib/use-once.ts';
import { paths } from '../paths.ts';
import { useSession } from '../session/session.tsx';
import { forgetReturn, rememberReturn, useLeaveFor } from './subscriptions.ts';

/** Asks for a checkout that pays for nobody, and goes there. Its error says what went wrong. */
export function useTestCheckout() {
  const { user } = useSession();
  const { leaveFor, isLeaving } = useLeaveFor();
  const attempt = useMutation({
    mutationFn: async ({ tier, email }: { tier: Tier; email: string }) => {
      rememberReturn(user?.firebaseUid ?? null);
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
      if (!leaveFor(answer.url)) forgetReturn();
    },
    onError: forgetReturn,
  });
  return { attempt, press: useOnce(attempt.mutate), isBusy: attempt.isPending || isLeaving };
}
