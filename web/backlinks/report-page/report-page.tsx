import { Container, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FileX2, Share2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { toDisavowAdvice } from '#shared/disavow-advice.ts';
import type { Profile } from '#shared/profiles.ts';
import type { Report, ReportOverview, ReportSummary } from '#shared/reports.ts';
import { adviceTitles } from '../../disavow/disavow.ts';
import { ApiError } from '../../lib/api.ts';
import { lazyPart } from '../../lib/load-part.ts';
import { useTitle } from '../../lib/use-title.ts';
import { paths } from '../../paths.ts';
import { profilesQuery } from '../../profiles/profiles.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { DateText, formatDate, formatTime, isSameDay } from '../../ui/date-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { TextLink } from '../../ui/screen.tsx';
import { ErrorState, PendingMarker } from '../../ui/states.tsx';
import { DeleteReport } from '../delete-report.tsx';
import { DisavowButton } from '../report-exports.tsx';
import { reportQuery, reportsQuery } from '../screen.ts';
import { UploadDetails } from '../upload-details.tsx';
import { useDomainPage } from './domain-results.tsx';
import { ExportMenu } from './export-menu.tsx';
import printStyles from './print.module.css';
import { type Print, PrintButton, PrintDate, PrintedDomains, usePrint } from './print.tsx';
import { ReportBody } from './report-body.tsx';
import styles from './report-page.module.css';
import { Review } from './review.tsx';
import { overviewQuery, type ReportScreen, useReportScreen } from './screen.ts';
import { Signals } from './signals.tsx';
import { toOwnReport } from './source.ts';
import { useDecisions } from './use-decisions.ts';

const ShareDialog = lazyPart(async () => (await import('./share-dialog.tsx')).ShareDialog);

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
  const decisions = useDecisions(report.id, report.profileId);
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
            dateCreated={report.dateCreated}
          />
        }
      >
        <Stack gap="lg">
          <Signals report={report} overview={overview} />
          <DisavowAdvice profile={profile} profileId={report.profileId} />
          <Review screen={screen} report={report} overview={overview} domainPage={domainPage} decisions={decisions} />
        </Stack>
      </ReportBody>
      <div className={printStyles.screenOnly}>
        <UploadDetails report={report} />
      </div>
    </Stack>
  );
}

/** The saved advice of "Should I disavow?", and the way to the disavow file. */
function DisavowAdvice({ profile, profileId }: { profile: Profile | undefined; profileId: number }) {
  const answers = profile?.disavowAnswers;
  return (
    <div className={`${styles.disavow} ${printStyles.screenOnly}`}>
      <span>
        Should I disavow? <strong>{adviceTitles[answers ? toDisavowAdvice(answers) : 'no']}</strong>{' '}
        <span className={styles.quiet}>
          {answers ? (
            <>
              Answered <DateText value={answers.answeredAt} />.
            </>
          ) : (
            'Most websites never need to.'
          )}
        </span>
      </span>
      <ButtonLink
        to={paths.disavow}
        params={{ id: String(profileId) }}
        variant="default"
        size="xs"
        leftSection={<FileX2 size={14} aria-hidden />}
      >
        Build disavow file
      </ButtonLink>
    </div>
  );
}

interface ReportHeaderProps extends Omit<LoadedReportProps, 'overview' | 'profile'> {
  /** All listed domains of the report. */
  domains: number;
  /** Those that match the filter; undefined until it is known. */
  matching: number | undefined;
  print: Print;
}

function ReportHeader({ screen, report, reports, domains, matching, print }: ReportHeaderProps) {
  const { id, profileId, domain, dateCreated } = report;
  const navigate = useNavigate();
  const { lost, risk } = screen.search;
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
        <PrintDate />
      </div>
      <Group gap="xs" className={styles.actions}>
        {reports.length > 1 && <ReportSelect id={id} reports={reports} />}
        <ExportMenu screen={screen} report={report} domains={domains} matching={matching} />
        <DisavowButton report={report} filter={{ lost, risk }} />
        <ShareButton report={report} />
        <PrintButton print={print} />
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

/** Opens the dialog of the link, which loads with the first press. */
function ShareButton({ report }: { report: Report }) {
  const [opened, dialog] = useDisclosure(false);
  const [isLoaded, setLoaded] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<Share2 size={14} aria-hidden />}
        onClick={() => {
          setLoaded(true);
          dialog.open();
        }}
      >
        Share
      </Button>
      {isLoaded && (
        <Suspense fallback={<PendingMarker />}>
          <ShareDialog report={report} opened={opened} onClose={dialog.close} />
        </Suspense>
      )}
    </>
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
