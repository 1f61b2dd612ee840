import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { userCount } from '#shared/accounts.ts';
import { countStats } from '#shared/domains.ts';
import { call } from '../lib/api.ts';
import { sessionKey } from '../lib/session.ts';

export const statsQuery = queryOptions({
  queryKey: ['stats', 'count'],
  queryFn: ({ signal }) => call(countStats, { signal }),
  staleTime: 0,
});

export const userCountQuery = queryOptions({
  queryKey: ['admin', 'users'],
  queryFn: ({ signal }) => call(userCount, { signal }),
  staleTime: 0,
});

/** After a change of the blacklist as a whole: every answer but the session is asked for again. */
export function forgetBlacklist(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ predicate: (query) => query.queryKey[0] !== sessionKey[0] });
}
