import { keepPreviousData, type QueryClient } from '@tanstack/react-query';
import { type Feed, listFeedCatalogue, listFeedChanges, listFeedRuns, listFeeds } from '#shared/blacklist/feeds.ts';
import { endpointQuery } from '../../platform/endpoint-query.ts';

/** The query key prefix of all data of feeds. */
const feedsKey = ['admin', 'feeds'];
/** How often running downloads are requested. */
const pollIntervalMs = 1500;
/** How often the feeds are requested while none is being downloaded, to see scheduled downloads. */
const idlePollIntervalMs = 60_000;

/** Whether the feed is being downloaded, or waits for its first download. */
export const isLoading = ({ enabled, state, lastRun }: Feed) =>
  lastRun === null ? enabled && state === 'new' : lastRun.status === 'running';

/** All feeds by name. Polls, faster while one of them is being downloaded. */
export const feedsQuery = endpointQuery([...feedsKey, 'list'], listFeeds, {
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.some(isLoading) ? pollIntervalMs : idlePollIntervalMs),
});

export const catalogueQuery = endpointQuery([...feedsKey, 'catalogue'], listFeedCatalogue, { staleTime: 0 });

/** Reloads the feeds, the catalogue and the history. */
export const refreshFeeds = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: feedsKey });

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
