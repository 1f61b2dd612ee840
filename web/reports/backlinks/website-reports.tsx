import { useInViewport } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import type { ReportSummary } from '#shared/reports/reports.ts';
import type { Website } from '#shared/reports/websites.ts';
import { RiskBadge } from '../../blacklist/domains/domains.tsx';
import { paths } from '../../paths.ts';
import { formatCount } from '../../platform/format.ts';
import { type Dates, DateText, useDates } from '../../ui/date-text.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { TextLink } from '../../ui/screen.tsx';
import { PendingMarker } from '../../ui/states.tsx';
import { TrendChart } from './lazy-trend-chart.ts';
import { reportsQuery, useScreenState } from './screen.ts';
import { compareToxicity, DeltaText, formatToxicity, getPercentage } from './toxicity.tsx';
import styles from './website-reports.module.css';

/** How many reports a card shows while several websites are listed. */
const maxReportsPerCard = 3;

/** The reports of a website and their trend, fetched when the card scrolls into view. */
export function WebsiteReports({ website, isExpanded }: { website: Website; isExpanded: boolean }) {
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const dates = useDates();
  const reports = useQuery({ ...reportsQuery(website.id), enabled: inViewport });
  const count = isExpanded ? website.reportCount : Math.min(maxReportsPerCard, website.reportCount);
  const comparable = reports.data?.filter((report) => getPercentage(report) !== null) ?? [];
  const hasTrend = (reports.data ? comparable.length : website.reportCount) > 1;
  return (
    <div ref={ref} className={styles.body} data-trend={hasTrend || undefined}>
      {!reports.data && <QueryState query={reports} height={count * 44} />}
      {reports.data && (
        <div>
          <ul aria-label={`Reports of ${website.domain}`}>
            {reports.data.slice(0, count).map((report, index) => (
              <ReportRow
                key={report.id}
                report={report}
                previous={reports.data[index + 1]}
                hasTime={hasSameDayReport(reports.data, report, dates)}
              />
            ))}
          </ul>
          {reports.data.length > count && (
            <TextLink
              to={paths.riskAssessment}
              search={{ tab: 'reports', profile: website.id }}
              size="sm"
              className={styles.more}
            >
              All {formatCount(reports.data.length)} reports of {website.domain}
            </TextLink>
          )}
        </div>
      )}
      {hasTrend && (
        <div className={styles.trend}>
          {reports.data && (
            <Suspense fallback={<PendingMarker />}>
              <TrendChart reports={comparable} domain={website.domain} />
            </Suspense>
          )}
        </div>
      )}
    </div>
  );
}

interface ReportRowProps {
  report: ReportSummary;
  previous: ReportSummary | undefined;
  hasTime: boolean;
}

function ReportRow({ report, previous, hasTime }: ReportRowProps) {
  const { search } = useScreenState();
  const { formatTime } = useDates();
  const delta = compareToxicity(report, previous);
  return (
    <li className={styles.row}>
      <TextLink
        to={paths.riskAssessment}
        search={{ tab: 'reports', profile: search.profile, report: report.id }}
        state={{ openedFromList: true }}
        resetScroll={false}
        className={styles.date}
        size="sm"
        fw={500}
      >
        <DateText value={report.dateCreated} />
        {hasTime && `, ${formatTime(new Date(report.dateCreated))}`}
      </TextLink>
      <span className={styles.badge}>
        <RiskBadge level={report.toxicityRating} of="Toxicity" />
      </span>
      <span className={styles.percentage}>{formatToxicity(report)}</span>
      <span className={styles.delta}>{delta ? <DeltaText delta={delta} /> : 'First report'}</span>
      <span className={styles.counts}>
        {formatCount(report.toxicDomains)} of {formatCount(report.uniqueDomains)} domains
      </span>
    </li>
  );
}

/** Whether another report has the same date. If so, the screen also shows the time. */
export function hasSameDayReport(
  reports: readonly ReportSummary[],
  report: ReportSummary,
  { isSameDay }: Dates,
): boolean {
  const date = new Date(report.dateCreated);
  return reports.some((other) => other.id !== report.id && isSameDay(new Date(other.dateCreated), date));
}
