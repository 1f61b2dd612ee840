import type { User } from '#shared/accounts.ts';

/** How many searches a person has, in words. */
export function searchesOf(limit: User['searchLimit']): string {
  return limit === null ? 'Unlimited searches' : `${limit} searches until you reset their count`;
}
