import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { Download, FileX2 } from 'lucide-react';
import { exportHarmfulBacklinks, type Report } from '#shared/reports.ts';
import { urlOf } from '../lib/api.ts';
import { download } from '../lib/download.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import { DisavowDialog } from './disavow-dialog.tsx';

const exportFailed = {
  title: 'Export Failed',
  description: 'There was a problem exporting the data. Please try again.',
  tone: 'destructive',
} as const;

/** Saves an export of a report and says so; a failure is said too. */
export function useReportExport() {
  return useMutation({
    mutationFn: (url: string) => download(url),
    onMutate: () =>
      toast({ title: 'Export Started', description: 'The file is saved as soon as it is ready.', tone: 'success' }),
    onError: () => toast(exportFailed),
  });
}

/** The two ways to take a report's harmful entries along: the CSV, and the file for Google's disavow tool. */
export function ReportExports({ report }: { report: Report }) {
  const [opened, dialog] = useDisclosure(false);
  const save = useReportExport();
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<Download size={14} aria-hidden />}
        loading={save.isPending}
        onClick={() => save.mutate(urlOf(exportHarmfulBacklinks, { id: report.id }))}
      >
        Export
      </Button>
      <Button variant="default" size="xs" leftSection={<FileX2 size={14} aria-hidden />} onClick={dialog.open}>
        Disavow file
      </Button>
      <DisavowDialog report={report} opened={opened} onClose={dialog.close} />
    </>
  );
}
