import { Anchor, Group, Modal, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { ListChecks, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Report, ReportFigures, ReportSummary } from '#shared/reports/reports.ts';
import { paths } from '../../paths.ts';
import { ApiError } from '../../platform/api.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { FocusedTitle, useLast } from '../../ui/dialogs.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { DeleteReport } from './delete-report.tsx';
import { HarmfulBacklinks } from './harmful-backlinks.tsx';
import styles from './report.module.css';
import { LostLinks, ReportTiles, RiskDistribution } from './report-figures.tsx';
import { closedReport, nothingOpen, reportQuery, reportsQuery, useScreenState } from './screen.ts';
import { findPreviousReport, ToxicityBar } from './toxicity.tsx';
import { UploadDetails } from './upload-details.tsx';

/** The report of the analysis that just finished, with a button that starts a new one. */
export function AnalyzerResult({ reportId }: { reportId: number }) {
  const { go } = useScreenState();
  const startNewAnalysis = () => go({ ...nothingOpen, tab: undefined });
  return (
    <LoadedReport
      id={reportId}
      onBack={startNewAnalysis}
      renderHeader={(report) => (
        <Group justify="space-between" gap="sm">
          <div>
            <Title order={2} size="h3">
              <span data-mono>{report.domain}</span>
            </Title>
            <Text size="sm" c="dimmed">
              Analyzed <DateText value={report.dateCreated} />.{' '}
              <Anchor
                inherit
                component="button"
                type="button"
                onClick={() => go({ ...nothingOpen, tab: 'reports', profile: report.profileId })}
              >
                All reports of this website
              </Anchor>
            </Text>
          </div>
          <Group gap="sm">
            <OpenReport id={report.id} />
            <DeleteReport
              report={report}
              onDeleted={() => go({ ...nothingOpen, tab: 'reports', profile: report.profileId }, { replace: true })}
            />
            <Button leftSection={<Plus size={16} aria-hidden />} onClick={startNewAnalysis}>
              New Analysis
            </Button>
          </Group>
        </Group>
      )}
    />
  );
}

/** The Report Details dialog for the report in the URL. In the modal stack, a dialog on top of it closes first. */
export function ReportDialog({ reportId }: { reportId: number | undefined }) {
  const { search, go } = useScreenState();
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const shown = useLast(reportId);
  const close = () => go(closedReport);
  return (
    <Modal.Stack>
      <Modal
        stackId="report"
        opened={reportId !== undefined}
        onClose={close}
        title={<FocusedTitle>Report Details</FocusedTitle>}
        size={1080}
        fullScreen={isNarrow}
      >
        {shown !== undefined && (
          <LoadedReport
            id={shown}
            onBack={close}
            renderHeader={(report) => (
              <Group justify="space-between" gap="sm">
                <Group gap="xs">
                  <span data-mono>{report.domain}</span>
                  <Text size="sm" c="dimmed">
                    Analyzed <DateText value={report.dateCreated} pattern="time" />
                  </Text>
                </Group>
                <Group gap="xs">
                  <OpenReport id={report.id} />
                  <DeleteReport
                    report={report}
                    onDeleted={() => go({ ...nothingOpen, tab: 'reports', profile: search.profile }, { replace: true })}
                  />
                </Group>
              </Group>
            )}
          />
        )}
      </Modal>
    </Modal.Stack>
  );
}

/** A link to the page of a report, where its domains are reviewed. */
function OpenReport({ id }: { id: number }) {
  return (
    <ButtonLink
      to={paths.report}
      params={{ id: String(id) }}
      size="xs"
      leftSection={<ListChecks size={14} aria-hidden />}
    >
      Review domains
    </ButtonLink>
  );
}

interface LoadedReportProps {
  id: number;
  /** Called by the Back button that replaces a report that does not exist. */
  onBack(): void;
  renderHeader(report: Report): ReactNode;
}

function LoadedReport({ id, onBack, renderHeader }: LoadedReportProps) {
  const { data: report, error, refetch } = useQuery(reportQuery(id));
  if (error instanceof ApiError && error.status === 404) {
    return (
      <EmptyState title="Report not found" description="It may have been deleted, or it belongs to another account.">
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
      </EmptyState>
    );
  }
  if (error) return <ErrorState title="Error Loading Report" error={error} onRetry={() => void refetch()} />;
  return (
    <Stack gap="lg">
      {report ? (
        <>
          {renderHeader(report)}
          <ReportView report={report} />
        </>
      ) : (
        [112, 32, 360].map((height) => <Skeleton key={height} height={height} radius="md" aria-hidden />)
      )}
    </Stack>
  );
}

/** A complete report: its figures, its harmful backlinks, and how its files were read. */
function ReportView({ report }: { report: Report }) {
  const { search, go } = useScreenState();
  const reports = useQuery(reportsQuery(report.profileId));
  const getFigures = (of: ReportSummary): ReportFigures => (search.lost && of.includingLost) || of;
  const figures = getFigures(report);
  if (report.totalBacklinks + report.lostBacklinks === 0) {
    return (
      <EmptyState
        title="No report data available"
        description="This report contains no backlinks. Upload a new export for the website."
      />
    );
  }
  const previous = findPreviousReport(reports.data ?? [], report.id);
  return (
    <Stack gap="lg">
      <div>
        <ReportTiles
          figures={figures}
          previous={previous && { figures: getFigures(previous), date: previous.dateCreated }}
          isPreviousKnown={reports.isSuccess}
        />
        {report.lostBacklinks > 0 && (
          <LostLinks
            report={report}
            isIncluded={search.lost !== undefined}
            onChange={(isIncluded) => go({ lost: isIncluded ? 'include' : undefined, page: undefined })}
          />
        )}
      </div>
      <div className={styles.bars}>
        <ToxicityBar toxicity={figures} />
        {figures.harmfulBacklinks > 0 && <RiskDistribution counts={figures.riskCounts} />}
      </div>
      <HarmfulBacklinks report={report} figures={figures} />
      <UploadDetails report={report} />
    </Stack>
  );
}
