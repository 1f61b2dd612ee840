import type { Context } from '../context.ts';
import { countUse } from '../throttle/throttle.ts';

/** Checkouts and changes of one person in an hour: Stripe has limits for all of us together. */
export const askingsPerHour = 60;

/** Counts that Stripe is asked something for a person. Throws 429 when that was too often in the last hour. */
export function countAsking({ db, now }: Pick<Context, 'db' | 'now'>, userId: number): Promise<void> {
  const sentence = 'You have changed your plan very often. Please try again in an hour.';
  return countUse(db, { key: `payments:${userId}`, mostInAnHour: askingsPerHour, sentence }, now());
}
