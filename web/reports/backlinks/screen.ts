import { queryOptions } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { RiskLevel } from '#shared/blacklist/domains.ts';
import { getAnalysis, listAnalyses } from '#shared/reports/backlinks.ts';
import { getReportShare } from '#shared/reports/report-shares.ts';
import {
  getReport,
  listHarmfulBacklinks,
  listProtectedDomains,
  listReports,
  listToxicDomains,
} from '#shared/reports/reports.ts';
import { paths } from '../../paths.ts';
import { call } from '../../platform/api.ts';
import { pollWhileRunning } from '../../platform/use-run.ts';
import { useScreenSearch } from '../../platform/use-screen-search.ts';
import { type RiskAssessmentSearch, riskAssessmentSearch } from './search.ts';

/** The state of the risk assessment screen, which is kept in the URL, and a function that changes it. */
export function useScreenState() {
  const search = useScreenSearch(riskAssessmentSearch);
  const navigate = useNavigate();
  return {
    search,
    tab: search.tab ?? (search.profile || search.report ? 'reports' : 'analyzer'),
    /** Changes the given URL parameters and keeps the others. `undefined` removes a parameter. */
    go: (change: Partial<RiskAssessmentSearch>, { replace = false } = {}) =>
      navigate({ to: paths.riskAssessment, search: { ...search, ...change }, replace, resetScroll: false }),
  };
}

/** URL parameters with the Report Details dialog closed. */
export const closedReport = { report: undefined, page: undefined, risk: undefined, lost: undefined };

/** URL parameters with no analysis, result, website or report open. */
export const nothingOpen = { ...closedReport, analysis: undefined, result: undefined, profile: undefined };

/** The element id of a website's title in the list of websites. */
export const getWebsiteTitleId = (profileId: number) => `website-${profileId}`;

/** The text of the toast when an export of a report starts. */
export const exportStarted = 'Your download will start shortly.';

export const reportsQuery = (profileId: number) =>
  queryOptions({
    queryKey: ['reports', 'of-profile', profileId],
    queryFn: ({ signal }) => call(listReports, { params: { id: profileId }, signal }),
    // An analysis in another tab may add a report.
    staleTime: 5000,
  });

export const reportQuery = (id: number) =>
  queryOptions({
    queryKey: ['reports', 'one', id],
    queryFn: ({ signal }) => call(getReport, { params: { id }, signal }),
  });

/** A page of a list of a report. */
interface ReportPage {
  /** Zero-based. */
  page: number;
  /** Undefined to leave out lost links. */
  lost: RiskAssessmentSearch['lost'];
}

export const harmfulBacklinksQuery = (id: number, part: ReportPage & { riskLevel: RiskLevel | undefined }) =>
  queryOptions({
    queryKey: ['reports', 'harmful', id, part],
    queryFn: ({ signal }) => call(listHarmfulBacklinks, { params: { id }, query: { ...part, pageSize: 50 }, signal }),
    placeholderData: (previousData, previousQuery) => (previousQuery?.queryKey[2] === id ? previousData : undefined),
  });

export const toxicDomainsQuery = (id: number, part: ReportPage & { search: string | undefined }) =>
  queryOptions({
    queryKey: ['reports', 'domains', id, part],
    queryFn: ({ signal }) => call(listToxicDomains, { params: { id }, query: { ...part, pageSize: 50 }, signal }),
    placeholderData: (previousData, previousQuery) => (previousQuery?.queryKey[2] === id ? previousData : undefined),
  });

/** The harmful domains of a report that its disavow file leaves out. */
export const protectedDomainsQuery = (id: number, lost: ReportPage['lost']) =>
  queryOptions({
    queryKey: ['reports', 'protected', id, lost],
    queryFn: ({ signal }) => call(listProtectedDomains, { params: { id }, query: { lost }, signal }),
    staleTime: 0,
  });

/** The link with which other people read a report; null if there is none. */
export const shareQuery = (id: number) =>
  queryOptions({
    queryKey: ['reports', 'share', id],
    queryFn: ({ signal }) => call(getReportShare, { params: { id }, signal }),
    staleTime: 0,
  });

/** The running analyses of the signed-in user. */
export const runningAnalysesQuery = queryOptions({
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
