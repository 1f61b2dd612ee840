import { queryOptions } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { getAnalysis, listAnalyses } from '#shared/backlinks.ts';
import type { RiskLevel } from '#shared/domains.ts';
import { getReport, listHarmfulBacklinks, listReports } from '#shared/reports.ts';
import { call } from '../lib/api.ts';
import { pollWhileRunning } from '../lib/use-run.ts';
import { paths } from '../paths.ts';
import type { RiskAssessmentSearch } from './search.ts';

const route = getRouteApi('/signed-in/risk-assessment');

/** The address of the risk assessment as state: what it says, and how to change it. */
export function useScreen() {
  const search = route.useSearch();
  const navigate = useNavigate();
  return {
    search,
    tab: search.tab ?? (search.profile || search.report ? 'reports' : 'analyzer'),
    /** Goes to another state of the screen; named parts change, `undefined` leaves the address. */
    go: (change: Partial<RiskAssessmentSearch>, { replace = false } = {}) =>
      navigate({ to: paths.riskAssessment, search: { ...search, ...change }, replace, resetScroll: false }),
  };
}

/** The address with nothing open on the screen. */
export const closed = {
  analysis: undefined,
  result: undefined,
  profile: undefined,
  report: undefined,
  page: undefined,
  risk: undefined,
};

export const reportsQuery = (profileId: number) =>
  queryOptions({
    queryKey: ['reports', 'of-profile', profileId],
    queryFn: ({ signal }) => call(listReports, { params: { id: profileId }, signal }),
    // An analysis elsewhere may add to them.
    staleTime: 5000,
  });

export const reportQuery = (id: number) =>
  queryOptions({
    queryKey: ['reports', 'one', id],
    queryFn: ({ signal }) => call(getReport, { params: { id }, signal }),
  });

/** `page` is zero-based. */
export const harmfulQuery = (id: number, page: number, riskLevel: RiskLevel | undefined) =>
  queryOptions({
    queryKey: ['reports', 'harmful', id, { page, riskLevel }],
    queryFn: ({ signal }) =>
      call(listHarmfulBacklinks, { params: { id }, query: { page, pageSize: 50, riskLevel }, signal }),
    placeholderData: (previous, before) => (before?.queryKey[2] === id ? previous : undefined),
  });

/** The caller's running analyses. */
export const runningQuery = queryOptions({
  queryKey: ['analyses', 'running'],
  queryFn: ({ signal }) => call(listAnalyses, { signal }),
  refetchInterval: pollWhileRunning(3000),
  staleTime: 0,
});

export const analysisQuery = (id: string) =>
  queryOptions({
    queryKey: ['analyses', 'one', id],
    queryFn: ({ signal }) => call(getAnalysis, { params: { id }, signal }),
    refetchInterval: pollWhileRunning(1000),
    staleTime: 0,
  });
