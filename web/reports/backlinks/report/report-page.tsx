import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { FileX2 } from 'lucide-react';
import { useState } from 'react';
import type { ReportSummary } from '#shared/reports/reports.ts';
import { paths } from '../../../paths.ts';
import { useTitle } from '../../../platform/use-title.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { useDates } from '../../../ui/date-text.tsx';
import { SelectField } from '../../../ui/fields.tsx';
import hidden from '../../../ui/hidden.module.css';
import { Page, TextLink } from '../../../ui/screen.tsx';
import { reportQuery } from '../screen.ts';
import { Brand, brandQuery } from './brand.tsx';
import { useDomainPage } from './domain-results.tsx';
import { useLiveCheck } from './live-check.tsx';
import { LoadReport, type OwnReport } from './load-report.tsx';
import { PrintedDomains, usePrint } from './print.tsx';
import { ReportBody } from './report-body.tsx';
import { ReportHeader } from './report-header.tsx';
import { ReportMenu } from './report-menu.tsx';
import { Review } from './review.tsx';
import { ReviewBar } from './review-bar.tsx';
import { type ReportScreen, useReportScreen } from './screen.ts';
import { toOwnReport } from './source.ts';
import { useReportDecisions } from './use-report-decisions.ts';

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
  const { id, profileId: websiteId } = report;
  const navigate = useNavigate();
  const domainPage = useDomainPage(screen);
  const decisions = useReportDecisions(id, websiteId);
  const brand = useQuery(brandQuery);
  const print = usePrint(screen);
  const liveCheck = useLiveCheck(report);
  const allReports = { to: paths.riskAssessment, search: { tab: 'reports', profile: websiteId } } as const;
  const rows = print.rows?.map(decisions.toCurrent);
  return (
    <>
      <ReportHeader
        report={report}
        brand={brand.data && <Brand brand={brand.data} isOnPaper />}
        link={
          <TextLink {...allReports} size="sm">
            All reports<span className={hidden.hidden}> of this website</span>
          </TextLink>
        }
      >
        {reports.length > 1 && <ReportSelect id={id} reports={reports} />}
        <ReportMenu
          screen={screen}
          report={report}
          domains={overview.domains}
          matching={domainPage.total}
          print={print}
          onDeleted={() => navigate({ ...allReports, replace: true })}
        />
      </ReportHeader>
      <ReportBody
        screen={screen}
        own={own}
        {...own}
        bar={
          <ReviewBar overview={overview}>
            <ButtonLink
              to={paths.disavow}
              params={{ id: String(websiteId) }}
              size="xs"
              leftSection={<FileX2 size={14} aria-hidden />}
            >
              Build disavow file
            </ButtonLink>
          </ReviewBar>
        }
        review={
          <Review
            screen={screen}
            report={{ ...report, overview }}
            domainPage={domainPage}
            decisions={decisions}
            liveCheck={liveCheck}
          />
        }
        printed={<PrintedDomains screen={screen} domainPage={domainPage} rows={rows} hasFiles />}
      />
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
