import { Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { Share2 } from 'lucide-react';
import type { SharedReport } from '#shared/reports/report-shares.ts';
import { ApiError } from '../../../platform/api.ts';
import { useTitle } from '../../../platform/use-title.ts';
import { DateText } from '../../../ui/date-text.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Page } from '../../../ui/screen.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { Brand } from './brand.tsx';
import { useDomainPage } from './domain-results.tsx';
import { LoadingReport } from './load-report.tsx';
import { PrintButton, PrintedDomains, usePrint } from './print.tsx';
import { ReportBody } from './report-body.tsx';
import { ReportHeader } from './report-header.tsx';
import styles from './report-page.module.css';
import { Review } from './review.tsx';
import { ReviewBar } from './review-bar.tsx';
import { type ReportScreen, useReportScreen } from './screen.ts';
import { loadSharedReport, toSharedReport } from './source.ts';

/** The page of a shared report, for everyone with its link. It is read-only. */
export function SharedReportPage() {
  const { pathname } = useLocation();
  const screen = useReportScreen(toSharedReport(pathname.split('/').at(-1) ?? ''), true);
  const { source, search } = screen;
  const { data, error, refetch } = useQuery({
    queryKey: ['reports', 'shared', source.id, search.lost],
    queryFn: ({ signal }) => loadSharedReport(source.id, search.lost, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  useTitle(data ? `Report on ${data.domain}` : 'Shared report');
  const isMissing = error instanceof ApiError && error.status === 404;
  return (
    <Page>
      {isMissing ? (
        <EmptyState
          title="Report not found"
          order={1}
          description="This link has expired or was revoked. Ask the person who sent it for a new one."
        />
      ) : data ? (
        <LoadedSharedReport screen={screen} report={data} />
      ) : error ? (
        <ErrorState title="Error Loading Report" error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingReport />
      )}
    </Page>
  );
}

function LoadedSharedReport({ screen, report }: { screen: ReportScreen; report: SharedReport }) {
  const { overview, history, ...facts } = report;
  const domainPage = useDomainPage(screen);
  const print = usePrint(screen);
  return (
    <Stack gap="lg">
      <p className={styles.banner}>
        <Share2 size={16} aria-hidden />
        <span>
          Shared report. Read-only. Link expires on <DateText value={report.expiresAt} pattern="long" />.
        </span>
      </p>
      <ReportHeader report={report} brand={<Brand brand={report.brand} />}>
        <PrintButton print={print} />
      </ReportHeader>
      <ReportBody
        screen={screen}
        report={facts}
        overview={overview}
        history={history}
        bar={<ReviewBar overview={overview} />}
        review={<Review screen={screen} report={report} domainPage={domainPage} />}
        printed={<PrintedDomains screen={screen} domainPage={domainPage} rows={print.rows} />}
      />
    </Stack>
  );
}
