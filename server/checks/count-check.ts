import type { Context } from '../context.ts';
import type { Identity } from '../http/scope.ts';
import { countUse } from '../throttle/throttle.ts';

/** Checks in an hour without an API key: enough for a form that looks while one types, too few to copy the blacklist. */
export const checksPerHour = { visitor: 30, user: 600 } as const;

/** Counts a check made without an API key. Throws 429 for an address or account that has made too many in the last hour. */
export function countCheck(
  { db, now }: Pick<Context, 'db' | 'now'>,
  user: Identity | undefined,
  address: string,
): Promise<void> {
  const use = user
    ? {
        key: `check:account:${user.id}`,
        maxPerHour: checksPerHour.user,
        sentence: `You have checked ${checksPerHour.user} domains in the last hour. Please try again later, or use an API key.`,
      }
    : {
        key: `check:address:${address}`,
        maxPerHour: checksPerHour.visitor,
        sentence: `Without an account, ${checksPerHour.visitor} domains an hour can be checked. Please sign in to check more; it is free.`,
      };
  return countUse(db, use, now());
}
