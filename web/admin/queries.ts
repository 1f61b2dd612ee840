import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { userCount } from '#shared/accounts.ts';
import { countStats } from '#shared/domains.ts';
import { importStatus, listImports, pollInterval } from '#shared/imports.ts';
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

/** One import, asked again until it is over. */
export const importQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['admin', 'imports', jobId],
    queryFn: ({ signal }) => call(importStatus, { params: { jobId }, signal }),
    refetchInterval: (query) => (query.state.data?.status === 'processing' ? pollInterval : false),
    refetchIntervalInBackground: true,
    staleTime: 0,
  });

/** The last imports; asked again as long as one of them runs. */
export const importsQuery = queryOptions({
  queryKey: ['admin', 'imports'],
  queryFn: ({ signal }) => call(listImports, { signal }),
  refetchInterval: (query) => (query.state.data?.some((job) => job.status === 'processing') ? 2 * pollInterval : false),
  staleTime: 0,
});

/** After a change of the blacklist as a whole: every answer but the session is asked for again. */
export function forgetBlacklist(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ predicate: (query) => query.queryKey[0] !== sessionKey[0] });
}
