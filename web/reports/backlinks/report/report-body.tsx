import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import type { HistoryEntry, SharedReport } from '#shared/reports/report-shares.ts';
import type { ReportFigures } from '#shared/reports/reports.ts';
import { formatCount } from '../../../platform/format.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { DisavowAdvice } from './disavow-advice.tsx';
import { HarmfulBacklinks } from './harmful-backlinks.tsx';
import type { OwnReport } from './load-report.tsx';
import { OverviewCharts } from './overview-charts.tsx';
import styles from './print.module.css';
import { PrintedMethod } from './print.tsx';
import { ExportFigures, LostLinks, MainFigures, type PreviousFigures } from './report-figures.tsx';
import parts from './report-page.module.css';
import type { ReportScreen } from './screen.ts';
import { type ReportView, reportViews } from './search.ts';
import { Signals } from './signals.tsx';
import { UploadDetails } from './upload-details.tsx';

interface ReportBodyProps {
  screen: ReportScreen;
  report: Omit<SharedReport, 'overview' | 'history' | 'expiresAt' | 'brand'>;
  overview: SharedReport['overview'];
  /** The reports of the website up to this one, which comes first. Empty if they could not be loaded. */
  history: readonly HistoryEntry[];
  /** What only the owner sees. */
  own?: OwnReport;
  /** The list of domains, on the page of a report. */
  review?: ReactNode;
  /** How much is reviewed, and the next step. It stays in sight. */
  bar: ReactNode;
  /** What takes the place of the list on paper. */
  printed?: ReactNode;
}

/** What a report says to its owner and to readers of its link: the main figures, and its parts. */
export function ReportBody(props: ReportBodyProps) {
  const { screen, report, overview, history, own, printed } = props;
  const { search, show } = screen;
  const before = history[1];
  const getFigures = <Figures,>(of: Figures & { includingLost: Figures | null }) =>
    (search.lost && of.includingLost) || of;
  const figures = getFigures<ReportFigures>(report);
  const previous = before && { figures: getFigures<PreviousFigures>(before), date: before.dateCreated };
  const harmfulLost = report.includingLost?.harmfulBacklinks ?? 0;
  const isOverview = overview.domains === 0 || search.view === 'overview';
  const patterns = own && own.report.signals.length > 0 && (
    <Signals screen={screen} report={own.report} overview={own.overview} />
  );
  const summary = (
    <div className={parts.overview}>
      {isOverview && <LostLinks screen={screen} report={report} />}
      <ExportFigures figures={figures} previous={previous} />
      <OverviewCharts screen={screen} overview={overview} history={history} domain={report.domain} />
      {own && (
        <div className={styles.screenOnly}>
          <DisavowAdvice website={own.website} websiteId={own.report.profileId} />
        </div>
      )}
    </div>
  );
  return (
    <>
      <MainFigures figures={figures} previous={previous} isFirst={history.length === 1} isCompact={!isOverview} />
      {overview.domains > 0 ? (
        <ReportParts {...props} patterns={patterns} summary={summary} />
      ) : (
        <>
          <EmptyState
            title="No harmful backlinks found"
            order={screen.hasReview ? 2 : 3}
            description={
              harmfulLost > 0
                ? `Only lost links come from domains on the blacklist: ${formatCount(harmfulLost)}.`
                : 'None of the referring domains in this export are on the blacklist.'
            }
          >
            {harmfulLost > 0 && (
              <Button variant="default" onClick={() => void show({ lost: 'include' })}>
                Include lost links
              </Button>
            )}
          </EmptyState>
          {patterns}
          {summary}
        </>
      )}
      {own && (
        <div className={styles.screenOnly}>
          <UploadDetails report={own.report} />
        </div>
      )}
      {printed}
      <PrintedMethod dateCreated={report.dateCreated} />
    </>
  );
}

interface ReportPartsProps extends ReportBodyProps {
  /** False if the reader does not see them, or the report is from before patterns. */
  patterns: ReactNode;
  summary: ReactNode;
}

/** The parts of a report as tabs, below them one part. On paper, the overview is always there. */
function ReportParts({ screen, own, review, bar, patterns, summary }: ReportPartsProps) {
  const contents: Record<ReportView, { label: string; content: ReactNode }> = {
    review: { label: own ? 'Review' : 'Toxic domains', content: review },
    links: { label: 'Links', content: own && <HarmfulBacklinks screen={screen} report={own.report} /> },
    patterns: { label: 'Patterns', content: patterns },
    overview: { label: 'Overview', content: summary },
  };
  const views = reportViews.filter((view) => contents[view].content);
  const [first = 'overview'] = views;
  const view = views.find((one) => one === screen.search.view) ?? first;
  const isOverview = view === 'overview';
  const choose = (next: string | null) => {
    const chosen = views.find((one) => one === next);
    void screen.show({ view: chosen === first ? undefined : chosen });
  };
  return (
    <Tabs id="report" value={view} onChange={choose}>
      <div className={parts.bar} data-sticky={screen.hasReview || undefined}>
        <Tabs.List aria-label="Parts of the report">
          {views.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {contents[one].label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {bar}
      </div>
      {!isOverview && (
        <Tabs.Panel value={view} className={styles.screenOnly}>
          {contents[view].content}
        </Tabs.Panel>
      )}
      <div
        role="tabpanel"
        id="report-panel-overview"
        aria-labelledby="report-tab-overview"
        className={parts.kept}
        data-hidden={!isOverview || undefined}
      >
        {summary}
      </div>
    </Tabs>
  );
}
