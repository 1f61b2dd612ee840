import { useMutation } from '@tanstack/react-query';
import { changeManually, type ManualChange, type PaidTier, plans, type Tier } from '#shared/subscriptions.ts';
import { call } from '../lib/api.ts';
import { useOnce } from '../lib/use-once.ts';
import { useUser } from '../session/session.tsx';
import { useLeaveFor } from '../subscriptions/subscriptions.ts';
import { toast } from '../ui/toast.tsx';
import { rememberPlan } from './plan-before.ts';

/** What a change of the subscription is for the person. */
export interface SubscriptionChange {
  kind: 'upgrade' | 'downgrade' | 'keep' | 'cancel';
  tier: Tier;
}

/**
 * Changes what the person pays for, `plan` as far as this page knows; to a checkout where that costs something. `onDone` runs after
 * a change, not before a checkout.
 */
export function useChangeSubscription(plan: PaidTier, onDone: () => void) {
  const { id } = useUser();
  const { leaveFor, isLeaving } = useLeaveFor();
  const change = useMutation({
    mutationFn: async ({ kind, tier }: SubscriptionChange): Promise<ManualChange> => {
      const answer = await call(changeManually, { body: { tier, userId: id } });
      if (!answer.redirect) return answer;
      // Nobody pays for what was to be made smaller or kept: the page has stood here while the plan ended.
      if (kind !== 'upgrade') return { ...answer, redirect: false, done: 'ended', message: endedMeanwhile(plan) };
      rememberPlan(plan);
      leaveFor(answer.url ?? '');
      return answer;
    },
    onSuccess: ({ redirect, done, message }) => {
      if (redirect) return;
      toast({
        title: titles[done ?? 'nothing'],
        ...(message && { description: message }),
        tone: 'success',
      });
      onDone();
    },
    onError: (error) =>
      toast({
        title: 'Subscription Error',
        description: error.message || 'Nothing was changed. Please try again.',
        tone: 'destructive',
      }),
  });
  return {
    change: useOnce(change.mutate),
    current: change.variables,
    isBusy: change.isPending || isLeaving,
    error: change.error,
  };
}

const titles: Record<NonNullable<ManualChange['done']>, string> = {
  scheduled: 'Downgrade Scheduled',
  kept: 'Subscription kept',
  cancelled: 'Subscription Cancelled',
  ended: 'Subscription ended',
  nothing: 'Nothing was changed',
};

const endedMeanwhile = (plan: PaidTier): string => `Your ${plans[plan].name} subscription has ended meanwhile.`;
