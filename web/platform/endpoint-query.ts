import {
  type FetchQueryOptions,
  keepPreviousData,
  type Query,
  type QueryClient,
  type QueryKey,
  queryOptions,
  type UseQueryOptions,
} from '@tanstack/react-query';
import type { Endpoint, ResponseOf } from '#shared/platform/endpoint.ts';
import { call, type RequestOf } from './api.ts';

type Options<E extends Endpoint> = Omit<
  UseQueryOptions<ResponseOf<E>>,
  'queryKey' | 'queryFn' | 'select' | 'initialData'
>;

/** The query that calls an endpoint with this request, and options of the query. */
export function endpointQuery<const E extends Endpoint>(
  queryKey: QueryKey,
  endpoint: E,
  request: RequestOf<E> & Options<E>,
) {
  return queryOptions({
    ...(request as Options<E>),
    queryKey,
    queryFn: ({ signal }): Promise<ResponseOf<E>> => call(endpoint, { ...request, signal }),
  });
}

/** For the pages of a list. The previous page stays until the next one has loaded. */
export const paged = { placeholderData: keepPreviousData, staleTime: 0 } as const;

/** Whether the app is about to adopt a served page, which contains its responses. `web/main.tsx` sets it. */
export const isAdopting = (client: QueryClient) => client.getDefaultOptions().queries?.refetchOnMount === false;

/** How long a response that was requested early counts as new, in milliseconds. */
export const newForMs = 2000;

/** The queries that were requested early, with the time of the response. */
const early = new WeakMap<object, number>();

/** Requests what a screen is about to show, if the screen would request it. The screen does not request it again. */
export function loadEarly<Data, Key extends QueryKey>(
  client: QueryClient,
  query: FetchQueryOptions<Data, Error, Data, Key>,
): void {
  const { staleTime } = client.defaultQueryOptions(query);
  const freshMs = typeof staleTime === 'number' ? Math.max(staleTime, newForMs) : Number.POSITIVE_INFINITY;
  const before = client.getQueryState(query.queryKey)?.dataUpdatedAt;
  void client.prefetchQuery({ ...query, staleTime: freshMs }).then(() => {
    const loaded = client.getQueryCache().find({ queryKey: query.queryKey, exact: true });
    if (loaded && loaded.state.dataUpdatedAt !== before) early.set(loaded, loaded.state.dataUpdatedAt);
  });
}

/** Whether a screen that opens needs to request the query, if its data is stale. */
export const needsRequest = (query: Query): boolean =>
  early.get(query) !== query.state.dataUpdatedAt ||
  query.state.isInvalidated ||
  Date.now() - query.state.dataUpdatedAt > newForMs;

/** Forgets that a query was requested early, because its screen has closed. */
export const forgetEarly = (query: Query): unknown => early.delete(query);
