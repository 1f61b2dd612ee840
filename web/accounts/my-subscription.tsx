import { useState } from 'react';
import { plans, type Subscription } from '#shared/subscriptions.ts';
import { monthlyPrice } from '../subscriptions/subscriptions.ts';
import { Button } from '../ui/button.tsx';
import { DateText } from '../ui/date-text.tsx';
import { changesOf } from './subscription-changes.ts';
import { SubscriptionDialog } from './subscription-dialog.tsx';
import classes from './support.module.css';
import { type SubscriptionChange, useChangeSubscription } from './use-change-subscription.ts';

interface Props {
  subscription: Subscription;
  /** Whether a larger plan is paid for already: until it is there nothing can be done about the one before. */
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
    if (next.kind === 'downgrade' || next.kind === 'cancel') setAsked(next);
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
