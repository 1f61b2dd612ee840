import { useQuery } from '@tanstack/react-query';
import type { Report } from '#shared/reports/reports.ts';
import { plural } from '../../../platform/format.ts';
import { DateText } from '../../../ui/date-text.tsx';
import { ConfirmDialog } from '../../../ui/dialogs.tsx';
import { shareQuery } from '../screen.ts';

interface DeleteReportDialogProps {
  report: Report;
  opened: boolean;
  onClose(): void;
  onConfirm(): void;
  isDeleting: boolean;
  error: Error | null;
}

/** Says what is lost with a report: also the link with which other people read it. */
export function DeleteReportDialog({ report, opened, isDeleting, ...actions }: DeleteReportDialogProps) {
  const { id, domain, dateCreated, harmfulBacklinks } = report;
  const share = useQuery({ ...shareQuery(id), enabled: opened });
  return (
    <ConfirmDialog
      stackId="delete"
      opened={opened}
      title="Delete report"
      confirmLabel="Delete report"
      busy={isDeleting}
      {...actions}
    >
      The report of <DateText value={dateCreated} /> on <b data-mono>{domain}</b> with its{' '}
      {plural(harmfulBacklinks, 'harmful backlink')} will be deleted, and the trend will no longer include it.{' '}
      {share.data && 'The shared link will stop working. '}
      This action cannot be undone.
    </ConfirmDialog>
  );
}
