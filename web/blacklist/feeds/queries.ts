import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { listFeedChanges, listFeedRuns } from '#shared/blacklist/feeds.ts';
import { call } from '../../platform/api.ts';
import { feedsKey, pollIntervalMs } from './feeds.tsx';

/** Runs per page of the history. */
export const runsPerPage = 25;

/** One page of the runs of a feed, newest first. `page` is zero-based. */
export const runsQuery = (id: number, page: number) =>
  queryOptions({
    queryKey: [...feedsKey, 'runs', id, page],
    queryFn: ({ signal }) => call(listFeedRuns, { params: { id }, query: { page, pageSize: runsPerPage }, signal }),
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
  queryOptions({
    queryKey: [...feedsKey, 'changes', id, runId, query],
    queryFn: ({ signal }) => call(listFeedChanges, { params: { id, runId }, query, signal }),
    placeholderData: keepPreviousData,
  });
