import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import {
  changeManually,
  type ManualChange,
  type PaidTier,
  plans,
  type Subscription,
  type Tier,
  tiers,
} from '#shared/subscriptions.ts';
import { call } from '../../lib/api.ts';
import { useSingleFlight } from '../../lib/use-single-flight.ts';
import { useUser } from '../../session/session.tsx';
import { monthlyPrice, useGoToCheckout } from '../../subscriptions/subscriptions.ts';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { ConfirmDialog, useLast } from '../../ui/dialogs.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { subscriptionQuery } from '../queries.ts';
import classes from './support.module.css';

interface Props {
  subscription: Subscription;
  /** Whether a change is on its way: until it is there nothing can be done about the plan before. */
  isChanging: boolean;
  /** Runs after something was done. */
  onChange(): void;
}

/** What the person pays for, until when, and what can be done about it. */
export function MySubscription({ subscription, isChanging, onChange }: Props) {
  const plan = plans[subscription.tier];
  const [asked, setAsked] = useState<SubscriptionChange>();
  const { change, current, isBusy, error } = useChangeSubscription(subscription.tier, () => {
    setAsked(undefined);
    onChange();
  });
  const press = (next: SubscriptionChange) => {
    if (isBusy) return;
    // Where payments are real, the customer portal asks.
    if (subscription.simulated && (next.kind === 'downgrade' || next.kind === 'cancel')) setAsked(next);
    else change(next);
  };
  return (
    <>
      <h3>
        You support Linksieve with {plan.name}, {monthlyPrice(plan)}
      </h3>
      <p>
        <Until subscription={subscription} />
      </p>
      {!isChanging && (
        <div className={classes.buttons}>
          {changesOf(subscription).map((next) => (
            <Button
              key={next.kind}
              size="xs"
              variant="default"
              loading={isBusy && asked === undefined && current?.kind === next.kind}
              onClick={() => press(next)}
            >
              {labelOf(next)}
            </Button>
          ))}
        </div>
      )}
      <SubscriptionDialog
        asked={asked}
        subscription={subscription}
        isBusy={isBusy}
        error={error}
        onConfirm={() => asked && change(asked)}
        onClose={() => setAsked(undefined)}
      />
    </>
  );
}

function Until({ subscription }: { subscription: Subscription }) {
  const { status, nextTier, periodEndsAt, simulated } = subscription;
  const date = <DateText value={periodEndsAt} pattern="long" missing="Unknown" />;
  const note = simulated && ' It is simulated: no money moves.';
  if (status === 'overdue') {
    return <>The last payment failed. The payment provider tries it again in the next days.</>;
  }
  if (status === 'active') {
    return (
      <>
        {periodEndsAt && <>It renews each month, next on {date}.</>}
        {note}
      </>
    );
  }
  const next = nextTier && nextTier !== 'free' ? plans[nextTier] : undefined;
  return (
    <>
      {next ? `It becomes ${next.name}, ${monthlyPrice(next)}, ` : 'It ends '}
      {periodEndsAt ? <>on {date}.</> : 'with the paid month.'}
      {note}
    </>
  );
}

function labelOf({ kind, tier }: SubscriptionChange): string {
  const { name } = plans[tier];
  if (kind === 'upgrade') return `Upgrade to ${name}`;
  if (kind === 'downgrade') return `Downgrade to ${name}`;
  return kind === 'keep' ? `Keep ${name}` : 'Cancel subscription';
}

/** What can be done about a subscription, in the order of the buttons. What is scheduled already is not offered again. */
export function changesOf({ tier, status, nextTier }: Subscription): SubscriptionChange[] {
  const changes: SubscriptionChange[] = [];
  const isEnding = status === 'ending';
  if (isEnding) changes.push({ kind: 'keep', tier });
  for (const other of tiers) {
    const { pricePerMonth } = plans[other];
    if (other === tier || other === 'free') continue;
    if (pricePerMonth > plans[tier].pricePerMonth) changes.push({ kind: 'upgrade', tier: other });
    else if (!isEnding) changes.push({ kind: 'downgrade', tier: other });
  }
  const endsAnyhow = isEnding && (nextTier === null || nextTier === 'free');
  if (!endsAnyhow) changes.push({ kind: 'cancel', tier: 'free' });
  return changes;
}

/** What a change of the subscription is for the person. */
interface SubscriptionChange {
  kind: 'upgrade' | 'downgrade' | 'keep' | 'cancel';
  tier: Tier;
}

/**
 * Changes what the person pays for, `plan` as far as this page knows; on Stripe's customer portal where payments are real, else at a
 * checkout where that costs something. `onDone` runs after a change, not before the browser leaves.
 */
function useChangeSubscription(plan: PaidTier, onDone: () => void) {
  const { id } = useUser();
  const queries = useQueryClient();
  const { goToCheckout, isLeaving } = useGoToCheckout();
  const change = useMutation({
    mutationFn: async ({ kind, tier }: SubscriptionChange): Promise<ManualChange> => {
      const answer = await call(changeManually, { body: { tier, userId: id } });
      if (!answer.redirect) return answer;
      if (kind !== 'upgrade' && (await queries.fetchQuery(subscriptionQuery))?.tier !== plan) {
        // The plan ended while this page was open. Nobody pays for what was to be made smaller or kept.
        const message = `Your ${plans[plan].name} subscription has ended meanwhile.`;
        return { ...answer, redirect: false, done: 'ended', message };
      }
      goToCheckout(answer.url ?? '');
      return answer;
    },
    onSuccess: ({ redirect, done, message }) => {
      if (redirect) return;
      toastSuccess(titles[done ?? 'nothing'], message);
      onDone();
    },
    onError: (error) => toastError('Subscription Error', error.message || 'Nothing was changed. Please try again.'),
  });
  return {
    change: useSingleFlight(change.mutate),
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

interface DialogProps {
  asked: SubscriptionChange | undefined;
  subscription: Subscription;
  isBusy: boolean;
  error: Error | null;
  onConfirm(): void;
  onClose(): void;
}

/** Asks before a simulated subscription is made smaller or ended. */
function SubscriptionDialog({ asked, subscription, isBusy, error, onConfirm, onClose }: DialogProps) {
  const last = useLast(asked && { shown: asked, before: subscription });
  if (!last) return null;
  const { shown, before } = last;
  const { name } = plans[shown.tier];
  const title = shown.kind === 'cancel' ? 'Cancel subscription' : `Downgrade to ${name}`;
  return (
    <ConfirmDialog
      opened={asked !== undefined}
      onClose={onClose}
      onConfirm={onConfirm}
      title={title}
      confirmLabel={shown.kind === 'cancel' ? 'Yes, cancel it' : title}
      destructive={shown.kind === 'cancel'}
      busy={isBusy}
      error={error}
    >
      {consequence(shown, before)}
    </ConfirmDialog>
  );
}

function consequence({ kind, tier }: SubscriptionChange, { tier: before, periodEndsAt }: Subscription): ReactNode {
  const { name } = plans[before];
  if (kind === 'cancel') {
    return `${name} ends at once. It was simulated: no money moves. Every feature stays free for you.`;
  }
  return (
    <>
      {name} goes on until <DateText value={periodEndsAt} pattern="long" missing="Unknown" />. From then on it is{' '}
      {plans[tier].name} for {monthlyPrice(plans[tier])}.
    </>
  );
}
