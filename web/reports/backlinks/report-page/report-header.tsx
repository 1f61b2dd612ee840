import { Group, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { Share2 } from 'lucide-react';
import { useState } from 'react';
import type { Report, ReportSummary } from '#shared/reports/reports.ts';
import { paths } from '../../../paths.ts';
import { lazyPart } from '../../../platform/load-part.ts';
import { Button } from '../../../ui/button.tsx';
import { DateText, formatDate, formatTime, isSameDay } from '../../../ui/date-text.tsx';
import { SelectField } from '../../../ui/fields.tsx';
import { LazyDialog } from '../../../ui/lazy-dialog.tsx';
import { TextLink } from '../../../ui/screen.tsx';
import { WatchButton } from '../../watch/watch-button.tsx';
import { DeleteReport } from '../delete-report.tsx';
import { ExportMenu } from './export-menu.tsx';
import { type Print, PrintButton, PrintDate } from './print.tsx';
import styles from './report-page.module.css';
import type { ReportScreen } from './screen.ts';

const ShareDialog = lazyPart(async () => (await import('./share-dialog.tsx')).ShareDialog);

interface ReportHeaderProps {
  screen: ReportScreen;
  report: Report;
  /** All reports of the website, newest first. */
  reports: readonly ReportSummary[];
  /** All listed domains of the report. */
  domains: number;
  /** Those that match the filter; undefined until it is known. */
  matching: number | undefined;
  print: Print;
}

/** The title of a report, and what its owner can do with it. */
export function ReportHeader({ screen, report, reports, domains, matching, print }: ReportHeaderProps) {
  const { id, profileId, domain, dateCreated } = report;
  const navigate = useNavigate();
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
        {domains > 0 && <ExportMenu screen={screen} report={report} domains={domains} matching={matching} />}
        <ShareButton report={report} />
        <WatchButton website={{ id: profileId, domain }} />
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
