import { Modal } from '@mantine/core';
import { ListChecks, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { countOfRisk } from '#shared/blacklist/domains.ts';
import type { Report } from '#shared/reports/reports.ts';
import { paths } from '../../../paths.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { FocusedTitle, useLast } from '../../../ui/dialogs.tsx';
import hidden from '../../../ui/hidden.module.css';
import { TextLink } from '../../../ui/screen.tsx';
import { useMaxWidth } from '../../../ui/use-max-width.ts';
import { nothingOpen, useScreenState } from '../screen.ts';
import { LoadReport } from './load-report.tsx';
import { ReportBody } from './report-body.tsx';
import { ReportHeader } from './report-header.tsx';
import { ReportMenu } from './report-menu.tsx';
import { ReviewBar } from './review-bar.tsx';
import { useReportScreen } from './screen.ts';
import { toOwnReport } from './source.ts';

/** The report of the analysis that just finished, with a button that starts a new one. */
export function AnalyzerResult({ reportId }: { reportId: number }) {
  const { go } = useScreenState();
  const startNewAnalysis = () => void go({ ...nothingOpen, tab: undefined });
  return (
    <QuickReport
      id={reportId}
      order={2}
      onBack={startNewAnalysis}
      renderLink={({ profileId: websiteId }) => (
        <TextLink to={paths.riskAssessment} search={{ tab: 'reports', profile: websiteId }} size="sm">
          All reports<span className={hidden.hidden}> of this website</span>
        </TextLink>
      )}
      onDeleted={({ profileId: websiteId }) =>
        go({ ...nothingOpen, tab: 'reports', profile: websiteId }, { replace: true })
      }
    >
      <Button size="xs" variant="default" leftSection={<Plus size={14} aria-hidden />} onClick={startNewAnalysis}>
        New Analysis
      </Button>
    </QuickReport>
  );
}

/** The Report Details dialog for the report in the URL. In the modal stack, a dialog on top of it closes first. */
export function ReportDialog({ reportId }: { reportId: number | undefined }) {
  const { search, go, close } = useScreenState();
  const isNarrow = useMaxWidth('tablet');
  const shown = useLast(reportId);
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
          <QuickReport
            id={shown}
            order={3}
            onBack={close}
            onDeleted={() => go({ ...nothingOpen, tab: 'reports', profile: search.profile }, { replace: true })}
          />
        )}
      </Modal>
    </Modal.Stack>
  );
}

interface QuickReportProps {
  id: number;
  order: 2 | 3;
  /** Called by the Back button that replaces a report that does not exist. */
  onBack(): void;
  /** Returns the way to the reports of the website. */
  renderLink?(report: Report): ReactNode;
  onDeleted(report: Report): Promise<void>;
  /** More buttons. */
  children?: ReactNode;
}

/** A report with its harmful backlinks. Its page lists the domains, and is where they are reviewed. */
function QuickReport({ id, order, onBack, renderLink, onDeleted, children }: QuickReportProps) {
  const screen = useReportScreen(toOwnReport(id), false);
  const { riskLevel } = screen.search;
  const back = (
    <Button variant="default" onClick={onBack}>
      Back
    </Button>
  );
  return (
    <LoadReport id={id} screen={screen} back={back}>
      {(own) => (
        <>
          <ReportHeader report={own.report} order={order} link={renderLink?.(own.report)}>
            <ReportMenu
              screen={screen}
              report={own.report}
              domains={own.overview.domains}
              matching={riskLevel && countOfRisk(own.overview.riskCounts, riskLevel)}
              onDeleted={() => onDeleted(own.report)}
            />
            {children}
          </ReportHeader>
          <ReportBody
            screen={screen}
            own={own}
            {...own}
            bar={
              <ReviewBar overview={own.overview}>
                <ButtonLink
                  to={paths.report}
                  params={{ id: String(id) }}
                  size="xs"
                  leftSection={<ListChecks size={14} aria-hidden />}
                >
                  Review domains
                </ButtonLink>
              </ReviewBar>
            }
          />
        </>
      )}
    </LoadReport>
  );
}
