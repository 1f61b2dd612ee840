import type { QueryClient } from '@tanstack/react-query';
import {
  listFamilies,
  listManagedSources,
  listSourceRuns,
  type SourceKind,
  suggestFamilies,
} from '#shared/blacklist/sources.ts';
import { endpointQuery, paged } from '../../platform/endpoint-query.ts';
import { pollWhileRunning } from '../../platform/use-run.ts';

const sourcesKey = ['admin', 'sources'];

export const sourcesQuery = (query: { search?: string; kind?: SourceKind; page?: number; pageSize?: number }) =>
  endpointQuery([...sourcesKey, 'list', query], listManagedSources, { query, ...paged });

export const familiesQuery = endpointQuery([...sourcesKey, 'families'], listFamilies, { staleTime: 0 });

export const suggestionsQuery = endpointQuery([...sourcesKey, 'suggestions'], suggestFamilies, { staleTime: 0 });

/** All unfinished changes and the last finished ones, newest first. */
export const sourceRunsQuery = endpointQuery([...sourcesKey, 'runs'], listSourceRuns, {
  staleTime: 0,
  refetchInterval: pollWhileRunning(1500),
});

/** Reloads the sources, families, suggestions and running changes. */
export function refreshSources(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: sourcesKey });
}
