import { Skeleton } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { Profile } from '#shared/profiles.ts';
import type { ReportSummary } from '#shared/reports.ts';
import { RiskBadge } from '../domains/domains.tsx';
import { formatCount } from '../lib/format.ts';
import { paths } from '../paths.ts';
import { DateText, formatTime, isSameDay } from '../ui/date-text.tsx';
import { TextLink } from '../ui/screen.tsx';
import { ErrorState, PendingMarker } from '../ui/states.tsx';
import styles from './profile-reports.module.css';
import { reportsQuery, useScreen } from './screen.ts';
import { DeltaText, deltaOf, formatPercentage } from './toxicity.tsx';

const TrendChart = lazy(() => import('./trend-chart.tsx').then((module) => ({ default: module.TrendChart })));

/** Reports that a card shows beside others. */
const shortList = 3;

/** The reports of a website and their trend; asked for once the card comes into view. */
export function ProfileReports({ profile, isAlone }: { profile: Profile; isAlone: boolean }) {
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const reports = useQuery({ ...reportsQuery(profile.id), enabled: inViewport });
  const count = isAlone ? profile.reportCount : Math.min(shortList, profile.reportCount);
  const hasTrend = profile.reportCount > 1;
  return (
    <div ref={ref} className={styles.body} data-trend={hasTrend || undefined}>
      {reports.isError && <ErrorState error={reports.error} onRetry={() => void reports.refetch()} />}
      {reports.isPending && <Skeleton height={count * 44} radius="sm" />}
      {reports.data && (
        <div>
          <ul className={styles.list} aria-label={`Reports of ${profile.domain}`}>
            {reports.data.slice(0, count).map((report, index) => (
              <ReportRow
                key={report.id}
                report={report}
                before={reports.data[index + 1]}
                withTime={sharesDay(reports.data, report)}
              />
            ))}
          </ul>
          {reports.data.length > count && (
            <TextLink
              to={paths.riskAssessment}
              search={{ tab: 'reports', profile: profile.id }}
              size="sm"
              className={styles.more}
            >
              All {formatCount(reports.data.length)} reports of {profile.domain}
            </TextLink>
          )}
        </div>
      )}
      {hasTrend && (
        <div className={styles.trend}>
          {reports.data && (
            <Suspense fallback={<PendingMarker />}>
              <TrendChart reports={reports.data} domain={profile.domain} />
            </Suspense>
          )}
        </div>
      )}
    </div>
  );
}

interface ReportRowProps {
  report: ReportSummary;
  before: ReportSummary | undefined;
  withTime: boolean;
}

function ReportRow({ report, before, withTime }: ReportRowProps) {
  const { search } = useScreen();
  const delta = deltaOf(report, before);
  return (
    <li className={styles.row}>
      <TextLink
        to={paths.riskAssessment}
        search={{ tab: 'reports', profile: search.profile, report: report.id }}
        className={styles.date}
        size="sm"
        fw={500}
      >
        <DateText value={report.dateCreated} />
        {withTime && `, ${formatTime(new Date(report.dateCreated))}`}
      </TextLink>
      <span className={styles.badge}>
        <RiskBadge level={report.toxicityRating} />
      </span>
      <span className={styles.percentage}>{formatPercentage(report.toxicityPercentage)}</span>
      <span className={styles.delta}>{delta ? <DeltaText delta={delta} /> : 'First report'}</span>
      <span className={styles.counts}>
        {formatCount(report.toxicDomains)} of {formatCount(report.uniqueDomains)} domains
      </span>
    </li>
  );
}

/** Whether another report is of the same day, so that a date alone does not tell them apart. */
export function sharesDay(reports: readonly ReportSummary[], report: ReportSummary): boolean {
  const date = new Date(report.dateCreated);
  return reports.some((other) => other.id !== report.id && isSameDay(new Date(other.dateCreated), date));
}
