import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { listAllWebsites, listOrphanedWebsites, listWebsites, type OwnedWebsite } from '#shared/reports/websites.ts';
import { call } from '../../platform/api.ts';
import { endpointQuery } from '../../platform/endpoint-query.ts';

/** The websites of the signed-in user. Stale after five seconds: an analysis in another tab may add a report. */
export const websitesQuery = endpointQuery(['websites'], listWebsites, { staleTime: 5000 });

/** The query key prefix of the admin screen of websites. */
export const ownedWebsitesKey = ['admin', 'websites'];

export const ownedWebsitesQuery = (query: { search?: string; page: number }) =>
  queryOptions({
    queryKey: [...ownedWebsitesKey, query],
    queryFn: async ({ signal }) => {
      const response = await call(listAllWebsites, { query, signal });
      // The endpoint returns a plain array only if the request has no `page`.
      if (Array.isArray(response)) throw new Error('Expected one page of websites, but got a list.');
      return response;
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const orphanedWebsitesQuery = queryOptions({
  queryKey: [...ownedWebsitesKey, 'orphaned'],
  queryFn: ({ signal }): Promise<OwnedWebsite[]> => call(listOrphanedWebsites, { signal }),
  staleTime: 0,
});
