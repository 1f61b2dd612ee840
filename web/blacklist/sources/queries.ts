import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import {
  listFamilies,
  listManagedSources,
  listSourceRuns,
  type SourceKind,
  suggestFamilies,
} from '#shared/blacklist/sources.ts';
import { call } from '../../platform/api.ts';
import { pollWhileRunning } from '../../platform/use-run.ts';

const sourcesKey = ['admin', 'sources'];

export const sourcesQuery = (query: { search?: string; kind?: SourceKind; page?: number; pageSize?: number }) =>
  queryOptions({
    queryKey: [...sourcesKey, 'list', query],
    queryFn: ({ signal }) => call(listManagedSources, { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const familiesQuery = queryOptions({
  queryKey: [...sourcesKey, 'families'],
  queryFn: ({ signal }) => call(listFamilies, { signal }),
  staleTime: 0,
});

export const suggestionsQuery = queryOptions({
  queryKey: [...sourcesKey, 'suggestions'],
  queryFn: ({ signal }) => call(suggestFamilies, { signal }),
  staleTime: 0,
});

/** All unfinished changes and the last finished ones, newest first. */
export const sourceRunsQuery = queryOptions({
  queryKey: [...sourcesKey, 'runs'],
  queryFn: ({ signal }) => call(listSourceRuns, { signal }),
  staleTime: 0,
  refetchInterval: pollWhileRunning(1500),
});

/** Reloads the sources, families, suggestions and running changes. */
export function refreshSources(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: sourcesKey });
}
