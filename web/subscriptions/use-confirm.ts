import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { plans, simulateSuccess, type Tier } from '#shared/subscriptions.ts';
import { call } from '../lib/api.ts';
import { useIsShown } from '../lib/use-is-shown.ts';
import { useOnce } from '../lib/use-once.ts';
import { paths } from '../paths.ts';
import { sessionKey, sessionQuery, setSession, useUser } from '../session/session.tsx';
import { toast } from '../ui/toast.tsx';
import { subscriptionKey, useLeaveFor } from './subscriptions.ts';

/** Settles the simulated checkout of a plan and goes to the account; where payments are real, to the provider's checkout. */
export function useConfirm(tier: Tier) {
  const { id } = useUser();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { leaveFor, isLeaving } = useLeaveFor();
  const isShown = useIsShown();
  const confirm = useMutation({
    mutationFn: async () => {
      const answer = await call(simulateSuccess, { query: { tier, userId: id } });
      // An answer of neither kind has settled nothing that we know of.
      if (answer?.redirect ? !answer.url : !answer?.user) throw new Error('Failed to process subscription');
      return answer;
    },
    onSuccess: async ({ redirect, url = '', user }) => {
      if (redirect) {
        leaveFor(url);
        return;
      }
      const person = user ?? (await queries.fetchQuery(sessionQuery));
      toast({
        title: 'Subscription Activated',
        description: `${plans[tier].name} is active. No money moved.`,
        tone: 'success',
      });
      if (!isShown()) {
        // What stands on the screen of now stays there.
        queries.setQueryData(sessionKey, person);
        return queries.invalidateQueries({ queryKey: subscriptionKey });
      }
      setSession(queries, person);
      // The checkout leaves the history: going back does not lead to it again.
      await navigate({
        to: paths.account,
        search: { subscription: 'success' },
        state: { simulated: true },
        replace: true,
      });
    },
    onError: () =>
      toast({
        title: 'Subscription Error',
        description: 'There was a problem activating your subscription.',
        tone: 'destructive',
      }),
  });
  return { press: useOnce(confirm.mutate), error: confirm.error, isBusy: confirm.isPending || isLeaving };
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The checkout before was simulated, and has said so. */
    simulated?: boolean;
  }
}
