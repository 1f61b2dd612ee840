import { queryOptions } from '@tanstack/react-query';
import { getReportOverview, listHarmfulBacklinks } from '#shared/reports/reports.ts';
import { endpointQuery } from '../../../platform/endpoint-query.ts';
import { useListUrl } from '../../../platform/use-list-url.ts';
import { defaultSort, type ReportSearch, reportSearch } from './search.ts';
import type { ReportSource } from './source.ts';

export const rowsPerPage = 50;
export const linksPerPage = 20;

/**
 * A report on a screen, what its URL says about the list, and functions that change that.
 * @param hasReview whether the screen lists the domains. If not, filters lead to the page of the report, which does
 */
export function useReportScreen<Source extends ReportSource>(source: Source, hasReview: boolean) {
  const { search, go, show } = useListUrl(reportSearch);
  return {
    source,
    hasReview,
    search,
    go,
    /** Changes filters or the sort, and shows the first page. */
    show: (patch: Partial<ReportSearch>) => show({ ...patch, open: undefined }),
  };
}

export type ReportScreen = ReturnType<typeof useReportScreen<ReportSource>>;

/** The filter of the list for requests, without its page. */
export const toFilter = ({ sort = defaultSort, page: _, open: __, ...filter }: ReportSearch) => ({
  ...filter,
  sort,
});
export type ReviewFilter = ReturnType<typeof toFilter>;

export const overviewKey = (id: number) => ['reports', 'overview', id];

export const overviewQuery = (id: number, lost: ReportSearch['lost']) =>
  endpointQuery([...overviewKey(id), lost], getReportOverview, {
    params: { id },
    query: { lost },
    // The page stays while it loads with or without lost links.
    placeholderData: (previousData, previousQuery) => (previousQuery?.queryKey[2] === id ? previousData : undefined),
    // Decisions and deleted reports change it.
    staleTime: 0,
  });

export const reviewKey = (id: ReportSource['id']) => ['reports', 'review', id];

/**
 * A page of the listed domains.
 * @param page zero-based
 * @param getAsOf returns when the user opened the list: domains that were decided later stay in it. Not part of the
 *   key, because the first page does not know it yet
 */
export const reviewQuery = (
  source: ReportSource,
  filter: ReviewFilter,
  page: number,
  getAsOf: () => number | undefined,
) =>
  queryOptions({
    queryKey: [...reviewKey(source.id), filter, page],
    queryFn: ({ signal }) => source.listDomains({ ...filter, asOf: getAsOf(), page, pageSize: rowsPerPage }, signal),
    placeholderData: (previousData, previousQuery) =>
      previousQuery?.queryKey[2] === source.id ? previousData : undefined,
    staleTime: 0,
  });

export const matchingKey = (id: ReportSource['id']) => ['reports', 'matching', id];

/** The number of domains that match the filter now, without those that stay in the list although they were decided. */
export const matchingQuery = (source: ReportSource, filter: ReviewFilter) =>
  queryOptions({
    queryKey: [...matchingKey(source.id), filter],
    queryFn: async ({ signal }) => {
      const { pagination } = await source.listDomains({ ...filter, page: 0, pageSize: 1 }, signal);
      return pagination.total;
    },
    staleTime: 0,
    gcTime: 0,
  });

/** A page of the links of a listed domain. `page` is zero-based. */
export const linksQuery = (source: ReportSource, domain: string, lost: ReportSearch['lost'], page: number) =>
  queryOptions({
    queryKey: ['reports', 'links', source.id, domain, lost, page],
    queryFn: ({ signal }) => source.listLinks({ domain, lost, page, pageSize: linksPerPage }, signal),
  });

/** A page of the harmful backlinks of a report of the user. `page` is zero-based. */
export const harmfulBacklinksQuery = (id: number, part: Pick<ReportSearch, 'riskLevel' | 'lost'> & { page: number }) =>
  endpointQuery(['reports', 'harmful', id, part], listHarmfulBacklinks, {
    params: { id },
    query: { ...part, pageSize: rowsPerPage },
    placeholderData: (previousData, previousQuery) => (previousQuery?.queryKey[2] === id ? previousData : undefined),
  });
