import type { QueryClient } from '@tanstack/react-query';
import { discoveryPageSize } from '#shared/blacklist/choices.ts';
import { type DiscoveryStatus, listDiscoveries } from '#shared/blacklist/discoveries.ts';
import { endpointQuery } from '../../platform/endpoint-query.ts';

/** A page of the sites with one status. `page` is zero-based. */
export const discoveriesQuery = (query: { status: DiscoveryStatus; page: number }) =>
  endpointQuery(['discoveries', query.status, query], listDiscoveries, {
    query: { ...query, pageSize: discoveryPageSize },
    // Show the previous page while the next one loads, but not a page of another status.
    placeholderData: (previous, before) => (before?.queryKey[1] === query.status ? previous : undefined),
    retry: false,
  });

export const refreshDiscoveries = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: ['discoveries'] });
