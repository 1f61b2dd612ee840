import { keepPreviousData } from '@tanstack/react-query';
import { listFeedChanges, listFeedRuns } from '#shared/blacklist/feeds.ts';
import { endpointQuery } from '../../platform/endpoint-query.ts';
import { feedsKey, pollIntervalMs } from './feeds.tsx';

/** Runs per page of the history. */
export const runsPerPage = 25;

/** One page of the runs of a feed, newest first. `page` is zero-based. */
export const runsQuery = (id: number, page: number) =>
  endpointQuery([...feedsKey, 'runs', id, page], listFeedRuns, {
    params: { id },
    query: { page, pageSize: runsPerPage },
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'running') ?? false) && pollIntervalMs,
  });

interface ChangesQuery {
  change: 'added' | 'removed';
  search?: string | undefined;
  /** Zero-based. */
  page: number;
  pageSize: number;
}

/** The names that a run added or removed. */
export const changesQuery = (id: number, runId: number, query: ChangesQuery) =>
  endpointQuery([...feedsKey, 'changes', id, runId, query], listFeedChanges, {
    params: { id, runId },
    query,
    placeholderData: keepPreviousData,
  });
