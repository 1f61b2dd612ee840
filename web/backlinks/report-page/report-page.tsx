import { Container, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Report, ReportOverview, ReportSummary } from '#shared/reports.ts';
import { ApiError } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import { useTitle } from '../../lib/use-title.ts';
import { paths } from '../../paths.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { DateText, formatDate, formatTime, isSameDay } from '../../ui/date-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { TextLink } from '../../ui/screen.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { DeleteReport } from '../delete-report.tsx';
import { ReportExports } from '../report-exports.tsx';
import { LostLinks, ReportTiles } from '../report-figures.tsx';
import { reportQuery, reportsQuery } from '../screen.ts';
import { compareToxicity, findPreviousReport, ToxicityBar } from '../toxicity.tsx';
import { UploadDetails } from '../upload-details.tsx';
import { OverviewCharts } from './overview-charts.tsx';
import styles from './report-page.module.css';
import { Review } from './review.tsx';
import { overviewQuery, type ReportScreen, useReportScreen } from './screen.ts';
import { Signals } from './signals.tsx';

/** The page of a report: its figures, what its listed domains have in common, and their review. */
export function ReportPage() {
  const screen = useReportScreen();
  const { id, search } = screen;
  const report = useQuery({ ...reportQuery(id), enabled: id > 0 });
  const overview = useQuery({ ...overviewQuery(id, search.lost), enabled: id > 0 });
  const profileId = report.data?.profileId;
  const reports = useQuery({ ...reportsQuery(profileId ?? 0), enabled: profileId !== undefined });
  useTitle(report.data ? `Report on ${report.data.domain}` : 'Report');
  const error = report.error ?? overview.error;
  const isMissing = !(id > 0) || (error instanceof ApiError && error.status === 404);
  return (
    <Container size="var(--frame-width)" pt={28} pb={40}>
      {isMissing ? (
        <EmptyState title="Report not found" description="It may have been deleted, or it belongs to another account.">
          <ButtonLink variant="default" to={paths.riskAssessment} search={{ tab: 'reports' }}>
            All reports
          </ButtonLink>
        </EmptyState>
      ) : error && !(report.data && overview.data) ? (
        <ErrorState
          title="Error Loading Report"
          error={error}
          onRetry={() => void Promise.all([report.refetch(), overview.refetch()])}
        />
      ) : report.data && overview.data && !reports.isPending ? (
        <LoadedReport
          key={id}
          screen={screen}
          report={report.data}
          overview={overview.data}
          reports={reports.data ?? []}
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

interface LoadedReportProps {
  screen: ReportScreen;
  report: Report;
  overview: ReportOverview;
  /** All reports of the website, newest first. */
  reports: readonly ReportSummary[];
}

function LoadedReport({ screen, report, overview, reports }: LoadedReportProps) {
  const { search, show } = screen;
  const figures = (search.lost && report.includingLost) || report;
  const previous = findPreviousReport(reports, report.id);
  const delta = compareToxicity(figures, previous && ((search.lost && previous.includingLost) || previous));
  return (
    <Stack gap="lg">
      <ReportHeader screen={screen} report={report} reports={reports} />
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
      {overview.domains > 0 && <OverviewCharts overview={overview} reports={reports} report={report} />}
      <Signals report={report} overview={overview} />
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
        <Review screen={screen} report={report} overview={overview} />
      )}
      <UploadDetails report={report} />
    </Stack>
  );
}

function ReportHeader({ screen, report, reports }: Omit<LoadedReportProps, 'overview'>) {
  const { id, profileId, domain, dateCreated } = report;
  const navigate = useNavigate();
  const { lost, risk } = screen.search;
  const figures = (lost && report.includingLost) || report;
  return (
    <header className={styles.header}>
      <div className={styles.words}>
        <TextLink to={paths.riskAssessment} search={{ tab: 'reports', profile: profileId }} size="sm">
          All reports of this website
        </TextLink>
        <Title order={1}>
          Report on <span data-mono>{domain}</span>
        </Title>
        <Text c="dimmed" size="sm" component="div">
          Analyzed <DateText value={dateCreated} pattern="time" />
        </Text>
      </div>
      <Group gap="xs">
        {reports.length > 1 && <ReportSelect id={id} reports={reports} />}
        <ReportExports report={report} figures={figures} filter={{ lost, risk }} />
        <DeleteReport
          report={report}
          onDeleted={() =>
            navigate({ to: paths.riskAssessment, search: { tab: 'reports', profile: profileId }, replace: true })
          }
        />
      </Group>
    </header>
  );
}

/** Switches to another report of the same website. */
function ReportSelect({ id, reports }: { id: number; reports: readonly ReportSummary[] }) {
  const navigate = useNavigate();
  // Selects the report at once, while the page still shows the other one.
  const [chosen, setChosen] = useState(id);
  const dates = reports.map((report) => ({ id: report.id, date: new Date(report.dateCreated) }));
  return (
    <SelectField
      aria-label="Report"
      size="xs"
      value={String(chosen)}
      options={dates.map((report) => ({
        value: String(report.id),
        label: dates.some((other) => other.id !== report.id && isSameDay(other.date, report.date))
          ? `${formatDate(report.date)}, ${formatTime(report.date)}`
          : formatDate(report.date),
      }))}
      onChange={(value) => {
        setChosen(Number(value));
        void navigate({ to: paths.report, params: { id: value } });
      }}
    />
  );
}
