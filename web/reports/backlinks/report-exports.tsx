import { useDisclosure } from '@mantine/hooks';
import { FileX2 } from 'lucide-react';
import type { RiskLevel } from '#shared/blacklist/domains.ts';
import { exportHarmfulBacklinks, type Report, type ReportFigures } from '#shared/reports/reports.ts';
import { riskCountNames } from '../../blacklist/domains/domains.tsx';
import { buildUrl } from '../../platform/api.ts';
import { formatCount } from '../../platform/format.ts';
import { lazyPart } from '../../platform/load-part.ts';
import { Button } from '../../ui/button.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { LazyDialog } from '../../ui/lazy-dialog.tsx';
import { exportStarted } from './screen.ts';

interface ReportExportsProps {
  report: Report;
  /** The figures of the report, with or without lost links. */
  figures: ReportFigures;
  /** The filters of the list. */
  filter: { lost: 'include' | undefined; risk: RiskLevel | undefined };
}

/**
 * The two exports of a report: its harmful backlinks as CSV, and a file for Google's disavow tool. Both follow the
 * filters of the list.
 */
export function ReportExports({ report, figures, filter: { lost, risk } }: ReportExportsProps) {
  const total = figures.harmfulBacklinks;
  const count = risk ? figures.riskCounts[riskCountNames[risk]] : total;
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <DownloadButton
        variant="default"
        size="xs"
        url={buildUrl(exportHarmfulBacklinks, { id: report.id }, { riskLevel: risk, lost })}
        started={exportStarted}
        disabled={count === 0}
      >
        {risk ? `Export ${formatCount(count)} of ${formatCount(total)}` : `Export all ${formatCount(total)}`}
      </DownloadButton>
      <Button variant="default" size="xs" leftSection={<FileX2 size={14} aria-hidden />} onClick={dialog.open}>
        Disavow file
      </Button>
      <DisavowFile report={report} filter={{ lost, risk }} opened={opened} onClose={dialog.close} />
    </>
  );
}

interface DisavowFileProps extends Omit<ReportExportsProps, 'figures'> {
  opened: boolean;
  onClose(): void;
}

const DisavowDialog = lazyPart(async () => (await import('./disavow-dialog.tsx')).DisavowDialog);

/** The dialog of the disavow file. */
export function DisavowFile({ report, filter: { lost, risk }, opened, onClose }: DisavowFileProps) {
  return (
    <LazyDialog opened={opened}>
      {(isOpen) => (
        // Another report or another filter has other domains, so the selection starts again.
        <DisavowDialog
          key={`${report.id} ${lost} ${risk}`}
          report={report}
          filter={{ lost, risk }}
          opened={isOpen}
          onClose={onClose}
        />
      )}
    </LazyDialog>
  );
}
