import { useDisclosure } from '@mantine/hooks';
import { FileX2 } from 'lucide-react';
import { exportHarmfulBacklinks, type Report } from '#shared/reports.ts';
import { buildUrl } from '../lib/api.ts';
import { Button } from '../ui/button.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { DisavowDialog, exportStarted } from './disavow-dialog.tsx';
import { useScreenState } from './screen.ts';

/** The two exports of a report: its harmful backlinks as CSV, and a file for Google's disavow tool. */
export function ReportExports({ report }: { report: Report }) {
  const { lost } = useScreenState().search;
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <DownloadButton
        variant="default"
        size="xs"
        url={buildUrl(exportHarmfulBacklinks, { id: report.id }, { lost })}
        started={exportStarted}
      >
        Export
      </DownloadButton>
      <Button variant="default" size="xs" leftSection={<FileX2 size={14} aria-hidden />} onClick={dialog.open}>
        Disavow file
      </Button>
      {/* Another report or other links have other domains, so the selection starts again. */}
      <DisavowDialog key={`${report.id} ${lost}`} report={report} opened={opened} onClose={dialog.close} />
    </>
  );
}
