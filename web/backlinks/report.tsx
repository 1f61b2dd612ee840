import { Anchor, Group, Modal, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import type { RiskCounts } from '#shared/domains.ts';
import type { Report, ReportFigures, ReportSummary } from '#shared/reports.ts';
import { RiskBadge, RiskBar } from '../domains/domains.tsx';
import { ApiError } from '../lib/api.ts';
import { formatCount, plural } from '../lib/format.ts';
import { Button } from '../ui/button.tsx';
import { DateText } from '../ui/date-text.tsx';
import { FocusedTitle, useLast } from '../ui/dialogs.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Checkbox } from '../ui/fields.tsx';
import { ErrorState, PendingMarker } from '../ui/states.tsx';
import { DeleteReport } from './delete-report.tsx';
import { HarmfulBacklinks } from './harmful-backlinks.tsx';
import styles from './report.module.css';
import { closedReport, nothingOpen, reportQuery, reportsQuery, useScreenState } from './screen.ts';
import {
  compareToxicity,
  type Delta,
  DeltaText,
  findPreviousReport,
  formatToxicity,
  ToxicityBar,
} from './toxicity.tsx';
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
            <DeleteReport report={report} />
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
  const { go } = useScreenState();
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
                <DeleteReport report={report} />
              </Group>
            )}
          />
        )}
      </Modal>
    </Modal.Stack>
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
  const { search } = useScreenState();
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
  const delta = compareToxicity(figures, previous && getFigures(previous));
  return (
    <Stack gap="lg">
      <div>
        <ReportTiles figures={figures} delta={delta} isDeltaKnown={reports.isSuccess} />
        {report.lostBacklinks > 0 && <LostLinks report={report} />}
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

/** The number of lost links, and a checkbox that includes them in the figures and lists. */
function LostLinks({ report: { lostBacklinks } }: { report: ReportSummary }) {
  const { search, go } = useScreenState();
  const verb = lostBacklinks === 1 ? 'is' : 'are';
  return (
    <Group justify="space-between" gap="xs" mt="sm">
      <Text size="sm" c="dimmed" role="status">
        {plural(lostBacklinks, 'lost link')} {verb} {search.lost ? 'included' : 'left out'}. The export says that{' '}
        {lostBacklinks === 1 ? 'it no longer exists' : 'they no longer exist'}.
      </Text>
      <Checkbox
        className={styles.includeLost}
        label="Include lost links"
        checked={search.lost !== undefined}
        onChange={(event) => go({ lost: event.currentTarget.checked ? 'include' : undefined, page: undefined })}
      />
    </Group>
  );
}

interface ReportTilesProps {
  figures: ReportFigures;
  /** Undefined for a website's first report. */
  delta: Delta | undefined;
  /** False until the website's other reports are loaded. */
  isDeltaKnown: boolean;
}

/** The report's figures: first how many harmful backlinks need attention, and the toxicity of the website. */
function ReportTiles({ figures, delta, isDeltaKnown }: ReportTilesProps) {
  const { totalBacklinks, nofollowBacklinks, totalDomains, uniqueDomains, toxicDomains, harmfulBacklinks } = figures;
  const { veryHigh, high, medium, low } = figures.riskCounts;
  const backlinksHint = nofollowBacklinks > 0 ? `${formatCount(nofollowBacklinks)} nofollow` : 'Rows analyzed';
  const tiles = [
    { name: 'Backlinks', value: totalBacklinks, hint: backlinksHint },
    { name: 'Hostnames', value: totalDomains, hint: 'Including subdomains' },
    { name: 'Referring domains', value: uniqueDomains, hint: 'Unique root domains' },
    { name: 'Toxic domains', value: toxicDomains, hint: 'On the blacklist' },
  ];
  return (
    <dl className={styles.tiles}>
      <div className={styles.lead}>
        <dt>High risk and above</dt>
        <dd className={styles.percentage}>
          {formatCount(veryHigh + high)}
          <span className={styles.total}>of {plural(harmfulBacklinks, 'harmful link')}</span>
        </dd>
        <dd className={styles.delta}>{formatCount(medium + low)} at medium or low risk</dd>
      </div>
      <div className={styles.lead}>
        <dt>Toxicity of the website</dt>
        <dd className={styles.percentage}>
          {formatToxicity(figures)}
          <RiskBadge level={figures.toxicityRating} of="Toxicity" />
        </dd>
        <dd className={styles.delta}>
          {isDeltaKnown && (delta ? <DeltaText delta={delta} suffix="since the previous report" /> : 'First report')}
        </dd>
      </div>
      {tiles.map(({ name, value, hint }) => (
        <div key={name} className={styles.tile}>
          <dt>{name}</dt>
          <dd className={styles.value}>{formatCount(value)}</dd>
          <Text component="dd" size="xs" c="dimmed" className={styles.hint}>
            {hint}
          </Text>
        </div>
      ))}
    </dl>
  );
}

/** The harmful backlinks by risk level. */
function RiskDistribution({ counts }: { counts: RiskCounts }) {
  return (
    <section className={styles.distribution}>
      <h3 className={styles.title}>Harmful backlinks by risk</h3>
      <Suspense fallback={<PendingMarker />}>
        <RiskBar counts={counts} />
      </Suspense>
    </section>
  );
}
