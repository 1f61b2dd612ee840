import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import {
  changeSubscription,
  type ManualChange,
  type PaidTier,
  plans,
  type Subscription,
  type Tier,
  tiers,
} from '#shared/accounts/subscriptions.ts';
import { useUser } from '../../../accounts/sessions/session.tsx';
import { subscriptionQuery } from '../../../accounts/subscriptions/queries.ts';
import { monthlyPrice, useGoToCheckout } from '../../../accounts/subscriptions/subscriptions.ts';
import { call } from '../../../platform/api.ts';
import { useSingleFlight } from '../../../platform/use-single-flight.ts';
import { Button } from '../../../ui/button.tsx';
import { DateText } from '../../../ui/date-text.tsx';
import { ConfirmDialog } from '../../../ui/dialogs.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { toastError, toastSuccess } from '../../../ui/toast.tsx';
import styles from './support.module.css';

interface Props {
  subscription: Subscription;
  /** Whether a change is still pending. The plan cannot be changed again until the change arrives. */
  isChanging: boolean;
  /** Called after a change. */
  onChange(): void;
}

/** The user's subscription: the plan, when it renews or ends, and buttons to change it. */
export function MySubscription({ subscription, isChanging, onChange }: Props) {
  const plan = plans[subscription.tier];
  const [pendingChange, setPendingChange] = useState<SubscriptionChange>();
  const { change, current, isBusy, error } = useChangeSubscription(subscription.tier, () => {
    setPendingChange(undefined);
    onChange();
  });
  // If payments are real, Stripe's customer portal asks for confirmation.
  const needsConfirmation = ({ kind }: SubscriptionChange) =>
    subscription.simulated && (kind === 'downgrade' || kind === 'cancel');
  const press = (next: SubscriptionChange) => {
    if (isBusy) return;
    if (needsConfirmation(next)) setPendingChange(next);
    else change(next);
  };
  return (
    <>
      <h3>
        You support Linksieve with {plan.name}, {monthlyPrice(plan)}
      </h3>
      <p>
        <StatusText subscription={subscription} />
      </p>
      {!isChanging && (
        <div className={styles.buttons}>
          {changesOf(subscription).map((next) => (
            <Button
              key={next.kind}
              size="xs"
              variant="default"
              loading={isBusy && pendingChange === undefined && current?.kind === next.kind}
              onClick={() => press(next)}
            >
              {labelOf(next)}
            </Button>
          ))}
          {current && !needsConfirmation(current) && <FormError error={error} />}
        </div>
      )}
      <ConfirmDialog
        target={pendingChange}
        onClose={() => setPendingChange(undefined)}
        action={{ mutate: change, isPending: isBusy, error }}
        title={labelOf}
        confirmLabel={(next) => (next.kind === 'cancel' ? 'Yes, cancel it' : labelOf(next))}
        destructive={({ kind }) => kind === 'cancel'}
      >
        {(next) => consequence(next, subscription)}
      </ConfirmDialog>
    </>
  );
}

/** When the subscription renews, changes or ends. */
function StatusText({ subscription }: { subscription: Subscription }) {
  const { status, nextTier, periodEndsAt, simulated } = subscription;
  const date = <DateText value={periodEndsAt} pattern="long" missing="Unknown" />;
  const note = simulated && ' It is simulated: you are not charged.';
  if (status === 'overdue') {
    return <>The last payment failed. The payment provider will retry it in the next few days.</>;
  }
  if (status === 'active') {
    return (
      <>
        {periodEndsAt && <>It renews each month. The next renewal is on {date}.</>}
        {note}
      </>
    );
  }
  const next = nextTier && nextTier !== 'free' ? plans[nextTier] : undefined;
  return (
    <>
      {next ? `It changes to ${next.name}, ${monthlyPrice(next)}, ` : 'It ends '}
      {periodEndsAt ? <>on {date}.</> : 'at the end of the paid month.'}
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

/**
 * The possible changes of a subscription, in the order of the buttons. A change that is already scheduled is left out.
 */
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
  const isCancelled = isEnding && (nextTier === null || nextTier === 'free');
  if (!isCancelled) changes.push({ kind: 'cancel', tier: 'free' });
  return changes;
}

/** A change of the subscription from the user's point of view. */
interface SubscriptionChange {
  kind: 'upgrade' | 'downgrade' | 'keep' | 'cancel';
  tier: Tier;
}

/**
 * Changes the user's subscription. If payments are real, this continues on Stripe's customer portal; otherwise an
 * upgrade continues at a simulated checkout.
 * @param plan the current plan, as far as this page knows
 * @param onDone called after a change, but not if the browser leaves the page
 */
function useChangeSubscription(plan: PaidTier, onDone: () => void) {
  const { id } = useUser();
  const queries = useQueryClient();
  const { goToCheckout, isLeaving } = useGoToCheckout();
  const change = useMutation({
    mutationFn: async ({ kind, tier }: SubscriptionChange): Promise<ManualChange> => {
      const result = await call(changeSubscription, { body: { tier, userId: id } });
      if (!result.redirect) return result;
      if (kind !== 'upgrade' && (await queries.fetchQuery(subscriptionQuery))?.tier !== plan) {
        // The plan ended while this page was open. The redirect would be a checkout, but the user did not want to buy.
        const message = `Your ${plans[plan].name} subscription has already ended.`;
        return { ...result, redirect: false, done: 'ended', message };
      }
      goToCheckout(result.url ?? '');
      return result;
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

/** What a confirmed change does, in one or two sentences. */
function consequence({ kind, tier }: SubscriptionChange, { tier: before, periodEndsAt }: Subscription): ReactNode {
  const { name } = plans[before];
  if (kind === 'cancel') {
    return `${name} ends immediately. It was simulated: you are not charged. All features remain free.`;
  }
  return (
    <>
      {name} continues until <DateText value={periodEndsAt} pattern="long" missing="Unknown" />. Then it changes to{' '}
      {plans[tier].name} for {monthlyPrice(plans[tier])}.
    </>
  );
}
