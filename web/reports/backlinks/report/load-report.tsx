import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import type { Report, ReportOverview, ReportSummary } from '#shared/reports/reports.ts';
import type { Website } from '#shared/reports/websites.ts';
import { ApiError } from '../../../platform/api.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { websitesQuery } from '../../websites/websites.ts';
import { reportQuery, reportsQuery } from '../screen.ts';
import styles from './report-page.module.css';
import { overviewQuery, type ReportScreen } from './screen.ts';

/** A report of the user, and what a screen says about it. */
export interface OwnReport {
  report: Report;
  overview: ReportOverview;
  /** All reports of the website, newest first. */
  reports: readonly ReportSummary[];
  /** Those up to this one, which comes first. Empty if they could not be loaded. */
  history: readonly ReportSummary[];
  /** The website; undefined if the websites could not be loaded. */
  website: Website | undefined;
}

interface LoadReportProps {
  id: number;
  screen: ReportScreen;
  /** The next step if there is no such report. */
  back: ReactNode;
  children(own: OwnReport): ReactNode;
}

/** Loads a report of the user, or says why it is not shown. */
export function LoadReport({ id, screen: { hasReview, search }, back, children }: LoadReportProps) {
  const report = useQuery({ ...reportQuery(id), enabled: id > 0 });
  const overview = useQuery({ ...overviewQuery(id, search.lost), enabled: id > 0 });
  const websiteId = report.data?.profileId;
  const reports = useQuery({ ...reportsQuery(websiteId ?? 0), enabled: websiteId !== undefined });
  const websites = useQuery(websitesQuery);
  const error = report.error ?? overview.error;
  const order = hasReview ? 1 : 3;
  if (!(id > 0) || (error instanceof ApiError && error.status === 404)) {
    return (
      <EmptyState
        title="Report not found"
        order={order}
        description="It may have been deleted, or it belongs to another account."
      >
        {back}
      </EmptyState>
    );
  }
  if (error && !(report.data && overview.data)) {
    const retry = () => void Promise.all([report.refetch(), overview.refetch()]);
    return <ErrorState title="Error Loading Report" error={error} onRetry={retry} />;
  }
  if (!report.data || !overview.data || reports.isPending || websites.isPending) return <LoadingReport />;
  if (report.data.totalBacklinks + report.data.lostBacklinks === 0) {
    return (
      <EmptyState
        title="No report data available"
        order={order}
        description="This report contains no backlinks. Upload a new export for the website."
      />
    );
  }
  const at = reports.data?.findIndex((other) => other.id === id) ?? -1;
  return (
    <Stack gap="lg" className={styles.report}>
      <Fragment key={id}>
        {children({
          report: report.data,
          overview: overview.data,
          reports: reports.data ?? [],
          history: at === -1 ? [] : (reports.data ?? []).slice(at),
          website: websites.data?.find((website) => website.id === websiteId),
        })}
      </Fragment>
    </Stack>
  );
}

export function LoadingReport() {
  return (
    <Stack gap="lg" data-waiting aria-label="Loading..." role="status">
      {[64, 196, 150, 420].map((height) => (
        <Skeleton key={height} height={height} radius="md" aria-hidden />
      ))}
    </Stack>
  );
}
