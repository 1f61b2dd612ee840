import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { HistoryEntry, SharedReport } from '#shared/reports/report-shares.ts';
import type { ReportFigures } from '#shared/reports/reports.ts';
import { formatCount } from '../../../platform/format.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { LostLinks, type PreviousFigures, ReportTiles } from '../report-figures.tsx';
import { ToxicityBar } from '../toxicity.tsx';
import { OverviewCharts } from './overview-charts.tsx';
import styles from './print.module.css';
import { PrintedMethod } from './print.tsx';
import type { ReportScreen } from './screen.ts';

interface ReportBodyProps {
  screen: ReportScreen;
  report: Omit<SharedReport, 'overview' | 'history' | 'expiresAt'>;
  overview: SharedReport['overview'];
  /** The reports of the website up to this one, which comes first. */
  history: readonly HistoryEntry[];
  /** What the owner sees between the charts and the list. */
  advice?: ReactNode;
  /** The list of domains on the screen. */
  children: ReactNode;
  /** What takes its place on paper. */
  printed: ReactNode;
}

/** What a report says to its owner and to readers of its link: the figures, the charts, and the listed domains. */
export function ReportBody({ screen, report, overview, history, advice, children, printed }: ReportBodyProps) {
  const { search, show } = screen;
  const before = history[1];
  const getFigures = <Figures,>(of: Figures & { includingLost: Figures | null }) =>
    (search.lost && of.includingLost) || of;
  return (
    <>
      <div>
        <ReportTiles
          figures={getFigures<ReportFigures>(report)}
          previous={before && { figures: getFigures<PreviousFigures>(before), date: before.dateCreated }}
          isPreviousKnown
        />
        {report.lostBacklinks > 0 && (
          <LostLinks
            report={report}
            isIncluded={search.lost !== undefined}
            onChange={(isIncluded) => void show({ lost: isIncluded ? 'include' : undefined })}
          />
        )}
      </div>
      <ToxicityBar toxicity={getFigures<ReportFigures>(report)} />
      {overview.domains === 0 && (
        <EmptyState
          title="No harmful backlinks found"
          description={
            report.includingLost && report.includingLost.harmfulBacklinks > 0
              ? `Only lost links come from domains on the blacklist: ${formatCount(report.includingLost.harmfulBacklinks)}.`
              : 'None of the referring domains in this export are on the blacklist.'
          }
        />
      )}
      <OverviewCharts overview={overview} history={history} domain={report.domain} />
      {advice && (
        <Stack gap="lg" className={styles.screenOnly}>
          {advice}
        </Stack>
      )}
      {overview.domains > 0 && (
        <>
          <div className={styles.screenOnly}>{children}</div>
          {printed}
        </>
      )}
      <PrintedMethod dateCreated={report.dateCreated} />
    </>
  );
}
