import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { countDomains, getDomain, listDomains, listNiches, listSources, listTlds } from '#shared/blacklist/domains.ts';
import type { QueryOf, ResponseOf } from '#shared/platform/endpoint.ts';
import { call } from '../../platform/api.ts';
import { endpointQuery } from '../../platform/endpoint-query.ts';
import { loadPart } from '../../platform/load-part.ts';

/** Loads the code that checks a pasted list. */
export const loadCheckNames = () => loadPart(() => import('./name-list/check-names.ts'));

/** The query of the list, with the key of a pasted list. */
export type ListQuery = QueryOf<typeof listDomains> & { list?: string | undefined };

export const domainsQuery = ({ list, ...query }: ListQuery) =>
  queryOptions({
    queryKey: ['domains', 'list', query, list],
    queryFn: async ({ signal }): Promise<ResponseOf<typeof listDomains>> =>
      list === undefined
        ? call(listDomains, { query, signal })
        : (await loadCheckNames()).checkNames(list, query, signal),
    placeholderData: keepPreviousData,
    meta: { isLocal: list !== undefined },
  });

/** The number of matches by risk level, whatever level the query has. */
export const countsQuery = ({ list, page: _, pageSize: __, sort: ___, riskLevel: ____, ...filter }: ListQuery) =>
  queryOptions({
    queryKey: ['domains', 'counts', filter, list],
    queryFn: async ({ signal }) =>
      list === undefined
        ? call(countDomains, { query: filter, signal })
        : (await (await loadCheckNames()).checkNames(list, { ...filter, page: 0, pageSize: 1 }, signal)).counts,
    placeholderData: keepPreviousData,
    meta: { isLocal: list !== undefined },
  });

/** One domain. A row from a cached list is the placeholder until the response arrives. */
export const domainQuery = (id: number, client: QueryClient) =>
  endpointQuery(['domains', 'one', id], getDomain, {
    params: { id },
    placeholderData: () => {
      const lists = client.getQueriesData<{ domains: { id: number }[] }>({ queryKey: ['domains', 'list'] });
      for (const [, list] of lists) {
        const row = list?.domains.find((domain) => domain.id === id);
        if (row) return row as Awaited<ReturnType<typeof call<typeof getDomain>>>;
      }
      return undefined;
    },
  });

export const tldsQuery = endpointQuery(['domains', 'tlds'], listTlds, {});

export const nichesQuery = endpointQuery(['domains', 'niches'], listNiches, {});

export const sourcesQuery = endpointQuery(['domains', 'sources'], listSources, {});
