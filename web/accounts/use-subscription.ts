import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { forgetPlan, planBefore } from './plan-before.ts';
import { subscriptionQuery } from './queries.ts';

/** How often, and every how many milliseconds, a change is asked for that the payment provider has yet to tell the server. */
const patience = { times: 10, every: 2000 };

/** What the person pays for, asked for again a few times while a change is on its way. @param paid whether a payment is */
export function useSubscription(paid: boolean) {
  const [left, setLeft] = useState(0);
  const [isUnconfirmed, setUnconfirmed] = useState(false);
  const [before] = useState(planBefore);
  useEffect(forgetPlan, []);
  const mine = useQuery({ ...subscriptionQuery, refetchInterval: left > 0 ? patience.every : false });
  const { data, dataUpdatedAt, errorUpdatedAt } = mine;

  const known = useRef<string>(undefined);
  useEffect(() => {
    if (dataUpdatedAt === 0 && errorUpdatedAt === 0) return;
    const now = dataUpdatedAt === 0 ? undefined : JSON.stringify(data);
    const isOther = known.current !== undefined && known.current !== now;
    known.current = now;
    // What is simulated is settled at once.
    const isSettled = isOther || (data?.simulated && !isUnconfirmed);
    setLeft((times) => (isSettled ? 0 : Math.max(0, times - 1)));
  }, [data, dataUpdatedAt, errorUpdatedAt, isUnconfirmed]);

  useEffect(() => {
    if (!paid) return;
    setLeft(patience.times);
    setUnconfirmed(true);
  }, [paid]);
  // Who had a plan before still has it until the payment is there.
  if (isUnconfirmed && data && !data.simulated && data.tier !== before) setUnconfirmed(false);

  return {
    mine,
    /** Paid, and not there yet. */
    isUnconfirmed,
    /** It is asked for again in a moment. */
    isAwaited: left > 0,
    /** Asks now, and again until there is something else. */
    expectChange: () => {
      setLeft(patience.times);
      void mine.refetch();
    },
  };
}
