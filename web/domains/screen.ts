import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { getDomain, listDomains, listNiches, listSources, listTlds } from '#shared/domains.ts';
import type { QueryOf } from '#shared/endpoint.ts';
import { call } from '../lib/api.ts';
import { useListUrl } from '../lib/use-list-url.ts';
import { type DomainsSearch, noFilter } from './search.ts';

export const domainsQuery = (query: QueryOf<typeof listDomains>) =>
  queryOptions({
    queryKey: ['domains', 'list', query],
    queryFn: ({ signal }) => call(listDomains, { query, signal }),
    placeholderData: keepPreviousData,
  });

/** One domain. A row from a cached list is the placeholder until the response arrives. */
export const domainQuery = (id: number, client: QueryClient) =>
  queryOptions({
    queryKey: ['domains', 'one', id],
    queryFn: ({ signal }) => call(getDomain, { params: { id }, signal }),
    placeholderData: () => {
      const lists = client.getQueriesData<{ domains: { id: number }[] }>({ queryKey: ['domains', 'list'] });
      for (const [, list] of lists) {
        const row = list?.domains.find((domain) => domain.id === id);
        if (row) return row as Awaited<ReturnType<typeof call<typeof getDomain>>>;
      }
      return undefined;
    },
  });

export const tldsQuery = queryOptions({
  queryKey: ['domains', 'tlds'],
  queryFn: ({ signal }) => call(listTlds, { signal }),
});

export const nichesQuery = queryOptions({
  queryKey: ['domains', 'niches'],
  queryFn: ({ signal }) => call(listNiches, { signal }),
});

export const sourcesQuery = queryOptions({
  queryKey: ['domains', 'sources'],
  queryFn: ({ signal }) => call(listSources, { signal }),
});

const closed = { dialog: undefined, domain: undefined };

/** Reads and changes the search parameters of the blacklist's URL. */
export function useDomainsScreen() {
  const listUrl = useListUrl<DomainsSearch>(useSearch({ strict: false }), closed);
  return useMemo(
    () => ({
      ...listUrl,
      clear: () => listUrl.show(noFilter),
      reset: () => listUrl.show({ ...noFilter, sort: undefined }),
      open: (dialog: DomainsSearch['dialog'], domain?: number) => listUrl.openDialog({ dialog, domain }),
    }),
    [listUrl],
  );
}

export type DomainsScreen = ReturnType<typeof useDomainsScreen>;
