import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { deleteReport, type Report } from '#shared/reports/reports.ts';
import { call } from '../../../platform/api.ts';
import { restoreFocus } from '../../../platform/focus.ts';
import { lazyPart } from '../../../platform/load-part.ts';
import { Button } from '../../../ui/button.tsx';
import { formatDate } from '../../../ui/date-text.tsx';
import { LazyDialog } from '../../../ui/lazy-dialog.tsx';
import { toastError, toastSuccess } from '../../../ui/toast.tsx';
import { websitesQuery } from '../../websites/websites.ts';
import { getWebsiteTitleId, reportQuery, reportsQuery } from '../screen.ts';

const DeleteReportDialog = lazyPart(async () => (await import('./delete-report-dialog.tsx')).DeleteReportDialog);

interface DeleteReportProps {
  report: Report;
  /** Returns to the reports of the website. */
  onDeleted(): Promise<void>;
}

/** The button that deletes a report after the user confirms. */
export function DeleteReport({ report, onDeleted }: DeleteReportProps) {
  const { id, profileId: websiteId, domain, dateCreated } = report;
  const queries = useQueryClient();
  const [opened, dialog] = useDisclosure(false);
  const remove = useMutation({
    mutationFn: () => call(deleteReport, { params: { id } }),
    onSuccess: async () => {
      dialog.close();
      toastSuccess('Report Deleted', `The report of ${formatDate(new Date(dateCreated))} on ${domain} was deleted.`);
      await onDeleted();
      restoreFocus(() => document.getElementById(getWebsiteTitleId(websiteId)));
      // The report is still visible while its dialog fades out.
      await queries.invalidateQueries({ queryKey: reportQuery(id).queryKey, refetchType: 'none' });
      await queries.invalidateQueries({ queryKey: reportsQuery(websiteId).queryKey });
      await queries.invalidateQueries({ queryKey: websitesQuery.queryKey });
    },
    onError: (error) => toastError('Failed to Delete Report', error.message),
  });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<Trash2 size={14} aria-hidden />}
        loading={remove.isPending}
        onClick={dialog.open}
      >
        Delete report
      </Button>
      <LazyDialog opened={opened}>
        {(isOpen) => (
          <DeleteReportDialog
            report={report}
            opened={isOpen}
            onClose={dialog.close}
            onConfirm={() => remove.mutate()}
            isDeleting={remove.isPending}
            error={remove.error}
          />
        )}
      </LazyDialog>
    </>
  );
}
