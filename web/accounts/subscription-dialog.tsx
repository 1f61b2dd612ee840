import { type ReactNode, useRef } from 'react';
import { plans, type Subscription } from '#shared/subscriptions.ts';
import { monthlyPrice } from '../subscriptions/subscriptions.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { DateText } from '../ui/date-text.tsx';
import type { SubscriptionChange } from './use-change-subscription.ts';

interface Props {
  asked: SubscriptionChange | undefined;
  subscription: Subscription;
  isBusy: boolean;
  error: Error | null;
  onConfirm(): void;
  onClose(): void;
}

/** Asks before a subscription is made smaller or ended. */
export function SubscriptionDialog({ asked, subscription, isBusy, error, onConfirm, onClose }: Props) {
  // While the dialog fades away it still says what it asked, and of what.
  const last = useRef({ asked, subscription });
  if (asked) last.current = { asked, subscription };
  const shown = last.current.asked;
  if (!shown) return null;
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
      {consequence(shown, last.current.subscription)}
    </ConfirmDialog>
  );
}

function consequence({ kind, tier }: SubscriptionChange, subscription: Subscription): ReactNode {
  const { name } = plans[subscription.tier];
  if (kind === 'cancel' && subscription.simulated) {
    return `${name} ends at once. It was simulated: no money moves. Every feature stays free for you.`;
  }
  const until = subscription.periodEndsAt ? (
    <DateText value={subscription.periodEndsAt} pattern="long" />
  ) : (
    'the end of the paid month'
  );
  if (kind === 'cancel') {
    return (
      <>
        {name} goes on until {until}, and nothing more is charged. Every feature stays free for you.
      </>
    );
  }
  return (
    <>
      {name} goes on until {until}. From then on it is {plans[tier].name} for {monthlyPrice(plans[tier])}.
    </>
  );
}
