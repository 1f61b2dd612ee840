import { getAnalysis, listAnalyses } from '#shared/reports/backlinks.ts';
import { listReportShares } from '#shared/reports/report-shares.ts';
import { getReport, listReports } from '#shared/reports/reports.ts';
import { endpointQuery } from '../../platform/endpoint-query.ts';
import { useListUrl } from '../../platform/use-list-url.ts';
import { pollWhileRunning } from '../../platform/use-run.ts';
import { riskAssessmentSearch } from './search.ts';

/** URL parameters with the Report Details dialog closed. */
export const closedReport = {
  report: undefined,
  view: undefined,
  page: undefined,
  riskLevel: undefined,
  lost: undefined,
};

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
  endpointQuery(['reports', 'of-website', websiteId], listReports, {
    params: { id: websiteId },
    // An analysis in another tab may add a report.
    staleTime: 5000,
  });

export const reportQuery = (id: number) => endpointQuery(['reports', 'one', id], getReport, { params: { id } });

/** The links with which other people read a report. */
export const sharesQuery = (id: number) =>
  endpointQuery(['reports', 'share', id], listReportShares, { params: { id }, staleTime: 0 });

/** The running analyses of the signed-in user. */
export const runningAnalysesQuery = endpointQuery(['analyses', 'running'], listAnalyses, {
  refetchInterval: pollWhileRunning(3000),
  staleTime: 0,
});

export const analysisQuery = (id: string) =>
  endpointQuery(['analyses', 'one', id], getAnalysis, {
    params: { id },
    refetchInterval: pollWhileRunning(1000),
    staleTime: 0,
  });
