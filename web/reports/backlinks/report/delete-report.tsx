import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { deleteReport, type Report, restoreReport } from '#shared/reports/reports.ts';
import { call } from '../../../platform/api.ts';
import { restoreFocus } from '../../../platform/focus.ts';
import { plural } from '../../../platform/format.ts';
import { DateText, useDates } from '../../../ui/date-text.tsx';
import { ConfirmDialog } from '../../../ui/dialogs.tsx';
import { toastError, toastUndoable } from '../../../ui/toast.tsx';
import { websitesQuery } from '../../websites/websites.ts';
import { getWebsiteTitleId, reportQuery, reportsQuery, sharesQuery } from '../screen.ts';

interface DeleteReportProps {
  report: Report;
  opened: boolean;
  onClose(): void;
  /** Returns to the reports of the website. */
  onDeleted(): Promise<void>;
}

/** Asks whether to delete a report, and deletes it. */
export function DeleteReport({ report, opened, onClose, onDeleted }: DeleteReportProps) {
  const { id, profileId: websiteId, domain, dateCreated } = report;
  const queries = useQueryClient();
  const { formatDate } = useDates();
  const reload = async () => {
    // The report may still be visible while its dialog fades out.
    await queries.invalidateQueries({ queryKey: reportQuery(id).queryKey, refetchType: 'none' });
    await queries.invalidateQueries({ queryKey: reportsQuery(websiteId).queryKey });
    await queries.invalidateQueries({ queryKey: websitesQuery.queryKey });
  };
  const action = useMutation({
    mutationFn: (_: true) => call(deleteReport, { params: { id } }),
    onSuccess: async () => {
      onClose();
      const what = `The report of ${formatDate(new Date(dateCreated))} on ${domain} was deleted.`;
      toastUndoable('Report Deleted', what, async () => {
        await call(restoreReport, { params: { id } });
        await reload();
      });
      await onDeleted();
      restoreFocus(() => document.getElementById(getWebsiteTitleId(websiteId)));
      await reload();
    },
    onError: (error) => toastError('Failed to Delete Report', error.message),
  });
  return (
    <ConfirmDialog
      target={opened || undefined}
      onClose={onClose}
      action={action}
      title="Delete report"
      stackId="delete"
    >
      <DeletedWithReport report={report} />
    </ConfirmDialog>
  );
}

/** What is lost with a report: also the links with which other people read it. */
function DeletedWithReport({ report: { id, domain, dateCreated, harmfulBacklinks } }: { report: Report }) {
  const shares = useQuery(sharesQuery(id));
  return (
    <>
      The report of <DateText value={dateCreated} /> on <b data-mono>{domain}</b> with its{' '}
      {plural(harmfulBacklinks, 'harmful backlink')} will be deleted, and the trend will no longer include it.{' '}
      {shares.data && shares.data.length > 0 && 'Its shared links will stop working.'}
    </>
  );
}
