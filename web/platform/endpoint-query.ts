import { keepPreviousData, type QueryKey, queryOptions, type UseQueryOptions } from '@tanstack/react-query';
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
