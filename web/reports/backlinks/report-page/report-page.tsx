import { Container, Skeleton, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Profile } from '#shared/reports/profiles.ts';
import type { Report, ReportOverview, ReportSummary } from '#shared/reports/reports.ts';
import { paths } from '../../../paths.ts';
import { ApiError } from '../../../platform/api.ts';
import { useTitle } from '../../../platform/use-title.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { profilesQuery } from '../../profiles/profiles.ts';
import { reportQuery, reportsQuery } from '../screen.ts';
import { UploadDetails } from '../upload-details.tsx';
import { DisavowAdvice } from './disavow-advice.tsx';
import { useDomainPage } from './domain-results.tsx';
import styles from './print.module.css';
import { PrintedDomains, usePrint } from './print.tsx';
import { ReportBody } from './report-body.tsx';
import { ReportHeader } from './report-header.tsx';
import { Review } from './review.tsx';
import { overviewQuery, type ReportScreen, useReportScreen } from './screen.ts';
import { Signals } from './signals.tsx';
import { toOwnReport } from './source.ts';
import { useReportDecisions } from './use-report-decisions.ts';

/** The page of a report: its figures, what its listed domains have in common, and their review. */
export function ReportPage() {
  const screen = useReportScreen(toReport);
  const {
    source: { id },
    search,
  } = screen;
  const report = useQuery({ ...reportQuery(id), enabled: id > 0 });
  const overview = useQuery({ ...overviewQuery(id, search.lost), enabled: id > 0 });
  const profileId = report.data?.profileId;
  const reports = useQuery({ ...reportsQuery(profileId ?? 0), enabled: profileId !== undefined });
  const profiles = useQuery(profilesQuery);
  useTitle(report.data ? `Report on ${report.data.domain}` : 'Report');
  const error = report.error ?? overview.error;
  const isMissing = !(id > 0) || (error instanceof ApiError && error.status === 404);
  return (
    <Container size="var(--frame-width)" pt={28} pb={40}>
      {isMissing ? (
        <>
          <Title order={1} mb="lg">
            Report
          </Title>
          <EmptyState
            title="Report not found"
            description="It may have been deleted, or it belongs to another account."
          >
            <ButtonLink variant="default" to={paths.riskAssessment} search={{ tab: 'reports' }}>
              All reports
            </ButtonLink>
          </EmptyState>
        </>
      ) : error && !(report.data && overview.data) ? (
        <ErrorState
          title="Error Loading Report"
          error={error}
          onRetry={() => void Promise.all([report.refetch(), overview.refetch()])}
        />
      ) : report.data && overview.data && !reports.isPending && !profiles.isPending ? (
        <LoadedReport
          key={id}
          screen={screen}
          report={report.data}
          overview={overview.data}
          reports={reports.data ?? []}
          profile={profiles.data?.find((profile) => profile.id === profileId)}
        />
      ) : (
        <Stack gap="lg" data-waiting aria-label="Loading..." role="status">
          {[64, 196, 150, 420].map((height) => (
            <Skeleton key={height} height={height} radius="md" aria-hidden />
          ))}
        </Stack>
      )}
    </Container>
  );
}

const toReport = (part: string) => toOwnReport(Number(part));

interface LoadedReportProps {
  screen: ReportScreen;
  report: Report;
  overview: ReportOverview;
  /** All reports of the website, newest first. */
  reports: readonly ReportSummary[];
  /** The website; undefined if the websites could not be loaded. */
  profile: Profile | undefined;
}

function LoadedReport({ screen, report, overview, reports, profile }: LoadedReportProps) {
  const domainPage = useDomainPage(screen);
  const decisions = useReportDecisions(report.id, report.profileId);
  const print = usePrint(screen);
  const at = reports.findIndex(({ id }) => id === report.id);
  return (
    <Stack gap="lg">
      <ReportHeader
        screen={screen}
        report={report}
        reports={reports}
        domains={overview.domains}
        matching={domainPage.total}
        print={print}
      />
      <ReportBody
        screen={screen}
        report={report}
        overview={overview}
        history={at === -1 ? [] : reports.slice(at)}
        printed={
          <PrintedDomains
            screen={screen}
            domainPage={domainPage}
            rows={print.rows?.map(decisions.toCurrent)}
            hasFiles
          />
        }
        advice={
          <>
            <Signals report={report} overview={overview} />
            <DisavowAdvice profile={profile} profileId={report.profileId} />
          </>
        }
      >
        <Review screen={screen} report={report} overview={overview} domainPage={domainPage} decisions={decisions} />
      </ReportBody>
      <div className={styles.screenOnly}>
        <UploadDetails report={report} />
      </div>
    </Stack>
  );
}
