import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { Share2 } from 'lucide-react';
import { useState } from 'react';
import type { Report, ReportSummary } from '#shared/reports/reports.ts';
import { paths } from '../../../paths.ts';
import { lazyPart } from '../../../platform/load-part.ts';
import { useTitle } from '../../../platform/use-title.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { useDates } from '../../../ui/date-text.tsx';
import { SelectField } from '../../../ui/fields.tsx';
import { LazyDialog } from '../../../ui/lazy-dialog.tsx';
import { Page, TextLink } from '../../../ui/screen.tsx';
import { WatchButton } from '../../watch/watch-button.tsx';
import { reportQuery } from '../screen.ts';
import { DeleteReport } from './delete-report.tsx';
import { useDomainPage } from './domain-results.tsx';
import { ExportMenu } from './export-menu.tsx';
import { LoadReport, type OwnReport } from './load-report.tsx';
import { PrintButton, PrintedDomains, usePrint } from './print.tsx';
import { ReportBody } from './report-body.tsx';
import { ReportHeader } from './report-header.tsx';
import { Review } from './review.tsx';
import { type ReportScreen, useReportScreen } from './screen.ts';
import { toOwnReport } from './source.ts';
import { useReportDecisions } from './use-report-decisions.ts';

const ShareDialog = lazyPart(() => import('./share-dialog.tsx'), 'ShareDialog');

/** The page of a report: its figures, what its listed domains have in common, and their review. */
export function ReportPage() {
  const { pathname } = useLocation();
  const id = Number(pathname.split('/').at(-1));
  const screen = useReportScreen(toOwnReport(id), true);
  const { data } = useQuery({ ...reportQuery(id), enabled: id > 0 });
  useTitle(data ? `Report on ${data.domain}` : 'Report');
  const back = (
    <ButtonLink variant="default" to={paths.riskAssessment} search={{ tab: 'reports' }}>
      All reports
    </ButtonLink>
  );
  return (
    <Page>
      <LoadReport id={id} screen={screen} back={back}>
        {(own) => <ReviewedReport screen={screen} own={own} />}
      </LoadReport>
    </Page>
  );
}

function ReviewedReport({ screen, own }: { screen: ReportScreen; own: OwnReport }) {
  const { report, overview, reports } = own;
  const { id, profileId: websiteId, domain } = report;
  const navigate = useNavigate();
  const domainPage = useDomainPage(screen);
  const decisions = useReportDecisions(id, websiteId);
  const print = usePrint(screen);
  const allReports = { to: paths.riskAssessment, search: { tab: 'reports', profile: websiteId } } as const;
  const rows = print.rows?.map(decisions.toCurrent);
  return (
    <>
      <ReportHeader
        report={report}
        link={
          <TextLink {...allReports} size="sm">
            All reports of this website
          </TextLink>
        }
      >
        {reports.length > 1 && <ReportSelect id={id} reports={reports} />}
        {overview.domains > 0 && (
          <ExportMenu screen={screen} report={report} domains={overview.domains} matching={domainPage.total} />
        )}
        <ShareButton report={report} />
        <WatchButton website={{ id: websiteId, domain }} />
        <PrintButton print={print} />
        <DeleteReport report={report} onDeleted={() => navigate({ ...allReports, replace: true })} />
      </ReportHeader>
      <ReportBody
        screen={screen}
        own={own}
        {...own}
        printed={<PrintedDomains screen={screen} domainPage={domainPage} rows={rows} hasFiles />}
      >
        <Review screen={screen} overview={overview} domainPage={domainPage} decisions={decisions} />
      </ReportBody>
    </>
  );
}

/** Opens the dialog of the link. */
function ShareButton({ report }: { report: Report }) {
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <Button variant="default" size="xs" leftSection={<Share2 size={14} aria-hidden />} onClick={dialog.open}>
        Share
      </Button>
      <LazyDialog opened={opened}>
        {(isOpen) => <ShareDialog report={report} opened={isOpen} onClose={dialog.close} />}
      </LazyDialog>
    </>
  );
}

/** Switches to another report of the same website. */
function ReportSelect({ id, reports }: { id: number; reports: readonly ReportSummary[] }) {
  const navigate = useNavigate();
  const { formatDate, formatTime, isSameDay } = useDates();
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
