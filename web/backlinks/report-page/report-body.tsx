import type { ReactNode } from 'react';
import type { HistoryEntry, SharedReport } from '#shared/report-shares.ts';
import { formatCount } from '../../lib/format.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LostLinks, ReportTiles } from '../report-figures.tsx';
import { compareToxicity, ToxicityBar } from '../toxicity.tsx';
import { OverviewCharts } from './overview-charts.tsx';
import print from './print.module.css';
import type { ReportScreen } from './screen.ts';

interface ReportBodyProps {
  screen: ReportScreen;
  report: Omit<SharedReport, 'overview' | 'history' | 'expiresAt'>;
  overview: SharedReport['overview'];
  /** The reports of the website up to this one, which comes first. */
  history: readonly HistoryEntry[];
  /** The list of domains on the screen. */
  children: ReactNode;
  /** What takes its place on paper. */
  printed: ReactNode;
}

/** What a report says to its owner and to readers of its link: the figures, the charts, and the listed domains. */
export function ReportBody({ screen, report, overview, history, children, printed }: ReportBodyProps) {
  const { search, show } = screen;
  const figures = (search.lost && report.includingLost) || report;
  const previous = history[1];
  const delta = compareToxicity(figures, previous && ((search.lost && previous.includingLost) || previous));
  return (
    <>
      <div>
        <ReportTiles figures={figures} delta={delta} isDeltaKnown />
        {report.lostBacklinks > 0 && (
          <LostLinks
            report={report}
            isIncluded={search.lost !== undefined}
            onChange={(isIncluded) => void show({ lost: isIncluded ? 'include' : undefined })}
          />
        )}
      </div>
      <ToxicityBar toxicity={figures} />
      {overview.domains > 0 && <OverviewCharts overview={overview} history={history} domain={report.domain} />}
      {overview.domains === 0 ? (
        <EmptyState
          title="No harmful backlinks found"
          description={
            report.includingLost && report.includingLost.harmfulBacklinks > 0
              ? `Only lost links come from domains on the blacklist: ${formatCount(report.includingLost.harmfulBacklinks)}.`
              : 'None of the referring domains in this export are on the blacklist.'
          }
        />
      ) : (
        <>
          <div className={print.screenOnly}>{children}</div>
          {printed}
        </>
      )}
    </>
  );
}
