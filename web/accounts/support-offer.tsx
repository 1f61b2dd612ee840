import { useMutation } from '@tanstack/react-query';
import { plans, startCheckout, type Tier, tiers } from '#shared/subscriptions.ts';
import { call } from '../lib/api.ts';
import { useOnce } from '../lib/use-once.ts';
import { useUser } from '../session/session.tsx';
import { monthlyPrice, useLeaveFor } from '../subscriptions/subscriptions.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import classes from './support.module.css';

/** How Linksieve can be supported. Nobody needs to. */
export function SupportOffer() {
  const { id } = useUser();
  const { leaveFor, isLeaving } = useLeaveFor();
  const start = useMutation({
    mutationFn: async (tier: Tier) => leaveFor((await call(startCheckout, { body: { tier, userId: id } })).url),
    onError: (error) =>
      toast({
        title: 'Subscription Error',
        description: error.message || 'The checkout could not be started. Please try again.',
        tone: 'destructive',
      }),
  });
  const press = useOnce(start.mutate);
  const isBusy = start.isPending || isLeaving;
  return (
    <>
      <h3>Support Linksieve</h3>
      <p>Everything is free and stays so. A plan keeps the site going, and changes nothing for you.</p>
      <div className={classes.buttons}>
        {tiers
          .filter((tier) => plans[tier].pricePerMonth > 0)
          .map((tier) => (
            <Button
              key={tier}
              size="xs"
              variant="default"
              loading={isBusy && start.variables === tier}
              onClick={() => !isBusy && press(tier)}
            >
              {plans[tier].name}, {monthlyPrice(plans[tier])}
            </Button>
          ))}
      </div>
    </>
  );
}
