import { queryOptions } from '@tanstack/react-query';
import { getAnalysis, listAnalyses } from '#shared/backlinks.ts';
import type { RiskLevel } from '#shared/domains.ts';
import { getReport, listHarmfulBacklinks, listReports } from '#shared/reports.ts';
import { call } from '../lib/api.ts';
import { whileRunning } from '../lib/use-run.ts';

/** Milliseconds for which a list of reports is taken as it is; an analysis elsewhere may have added to it. */
const listFreshness = 5000;

/** Harmful backlinks on one page of a report. */
export const harmfulPageSize = 50;

export const reportsQuery = (profileId: number) =>
  queryOptions({
    queryKey: ['reports', 'of-profile', profileId],
    queryFn: ({ signal }) => call(listReports, { params: { id: profileId }, signal }),
    staleTime: listFreshness,
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
      call(listHarmfulBacklinks, { params: { id }, query: { page, pageSize: harmfulPageSize, riskLevel }, signal }),
    placeholderData: (previous, before) => (before?.queryKey[2] === id ? previous : undefined),
  });

/** The caller's running analyses. */
export const runningQuery = queryOptions({
  queryKey: ['analyses', 'running'],
  queryFn: ({ signal }) => call(listAnalyses, { signal }),
  refetchInterval: whileRunning(3000),
  staleTime: 0,
});

export const analysisQuery = (id: string) =>
  queryOptions({
    queryKey: ['analyses', 'one', id],
    queryFn: ({ signal }) => call(getAnalysis, { params: { id }, signal }),
    refetchInterval: whileRunning(1000),
    staleTime: 0,
  });
