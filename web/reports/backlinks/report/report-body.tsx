import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { HistoryEntry, SharedReport } from '#shared/reports/report-shares.ts';
import type { ReportFigures } from '#shared/reports/reports.ts';
import { formatCount } from '../../../platform/format.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { DisavowAdvice } from './disavow-advice.tsx';
import type { OwnReport } from './load-report.tsx';
import { OverviewCharts } from './overview-charts.tsx';
import styles from './print.module.css';
import { PrintedMethod } from './print.tsx';
import { LostLinks, type PreviousFigures, ReportBars, ReportTiles } from './report-figures.tsx';
import type { ReportScreen } from './screen.ts';
import { Signals } from './signals.tsx';
import { UploadDetails } from './upload-details.tsx';

interface ReportBodyProps {
  screen: ReportScreen;
  report: Omit<SharedReport, 'overview' | 'history' | 'expiresAt'>;
  overview: SharedReport['overview'];
  /** The reports of the website up to this one, which comes first. Empty if they could not be loaded. */
  history: readonly HistoryEntry[];
  /** What only the owner sees. */
  own?: OwnReport;
  /** The list of domains or backlinks on the screen. */
  children: ReactNode;
  /** What takes its place on paper. */
  printed?: ReactNode;
}

/** What a report says to its owner and to readers of its link: the figures, the charts, and the list. */
export function ReportBody({ screen, report, overview, history, own, children, printed }: ReportBodyProps) {
  const { search, show } = screen;
  const before = history[1];
  const getFigures = <Figures,>(of: Figures & { includingLost: Figures | null }) =>
    (search.lost && of.includingLost) || of;
  const figures = getFigures<ReportFigures>(report);
  const harmfulLost = report.includingLost?.harmfulBacklinks ?? 0;
  const includeLost = (isIncluded: boolean) => void show({ lost: isIncluded ? 'include' : undefined });
  return (
    <>
      <div>
        <ReportTiles
          figures={figures}
          previous={before && { figures: getFigures<PreviousFigures>(before), date: before.dateCreated }}
          isFirst={history.length === 1}
        />
        {report.lostBacklinks > 0 && (
          <LostLinks report={report} isIncluded={search.lost !== undefined} onChange={includeLost} />
        )}
      </div>
      <ReportBars figures={figures} />
      {overview.domains === 0 && (
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
            <Button variant="default" onClick={() => includeLost(true)}>
              Include lost links
            </Button>
          )}
        </EmptyState>
      )}
      <OverviewCharts screen={screen} overview={overview} history={history} domain={report.domain} />
      {own && (
        <Stack gap="lg" className={styles.screenOnly}>
          <Signals screen={screen} report={own.report} overview={own.overview} />
          <DisavowAdvice website={own.website} websiteId={own.report.profileId} />
        </Stack>
      )}
      {overview.domains > 0 && (
        <>
          <div className={printed ? styles.screenOnly : undefined}>{children}</div>
          {printed}
        </>
      )}
      <PrintedMethod dateCreated={report.dateCreated} />
      {own && (
        <div className={styles.screenOnly}>
          <UploadDetails report={own.report} />
        </div>
      )}
    </>
  );
}
