import { queryOptions } from '@tanstack/react-query';
import { getAnalysis, listAnalyses } from '#shared/reports/backlinks.ts';
import { getReportShare } from '#shared/reports/report-shares.ts';
import { getReport, listProtectedDomains, listReports } from '#shared/reports/reports.ts';
import { call } from '../../platform/api.ts';
import { useListUrl } from '../../platform/use-list-url.ts';
import { pollWhileRunning } from '../../platform/use-run.ts';
import { type RiskAssessmentSearch, riskAssessmentSearch } from './search.ts';

/** URL parameters with the Report Details dialog closed. */
export const closedReport = { report: undefined, page: undefined, riskLevel: undefined, lost: undefined };

/** URL parameters with no analysis, result, website or report open. */
export const nothingOpen = { ...closedReport, analysis: undefined, result: undefined, profile: undefined };

/** The state of the risk assessment screen, which is kept in the URL, and functions that change it. */
export function useScreenState() {
  const url = useListUrl(riskAssessmentSearch, closedReport);
  const { tab, profile, report } = url.search;
  return { ...url, tab: tab ?? (profile || report ? 'reports' : 'analyzer') };
}

/** The element id of a website's title in the list of websites. */
export const getWebsiteTitleId = (websiteId: number) => `website-${websiteId}`;

/** The text of the toast when an export of a report starts. */
export const exportStarted = 'Your download will start shortly.';

export const reportsQuery = (websiteId: number) =>
  queryOptions({
    queryKey: ['reports', 'of-website', websiteId],
    queryFn: ({ signal }) => call(listReports, { params: { id: websiteId }, signal }),
    // An analysis in another tab may add a report.
    staleTime: 5000,
  });

export const reportQuery = (id: number) =>
  queryOptions({
    queryKey: ['reports', 'one', id],
    queryFn: ({ signal }) => call(getReport, { params: { id }, signal }),
  });

/** The toxic domains of a report that its disavow file leaves out. */
export const protectedDomainsQuery = (id: number, lost: RiskAssessmentSearch['lost']) =>
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
