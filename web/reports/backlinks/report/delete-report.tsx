import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { deleteReport, type Report } from '#shared/reports/reports.ts';
import { call } from '../../../platform/api.ts';
import { restoreFocus } from '../../../platform/focus.ts';
import { plural } from '../../../platform/format.ts';
import { ConfirmButton } from '../../../ui/confirm-button.tsx';
import { DateText, useDates } from '../../../ui/date-text.tsx';
import { toastSuccess } from '../../../ui/toast.tsx';
import { websitesQuery } from '../../websites/websites.ts';
import { getWebsiteTitleId, reportQuery, reportsQuery, shareQuery } from '../screen.ts';

interface DeleteReportProps {
  report: Report;
  /** Returns to the reports of the website. */
  onDeleted(): Promise<void>;
}

/** The button that deletes a report after the user confirms. */
export function DeleteReport({ report, onDeleted }: DeleteReportProps) {
  const { id, profileId: websiteId, domain, dateCreated } = report;
  const queries = useQueryClient();
  const { formatDate } = useDates();
  return (
    <ConfirmButton
      label="Delete report"
      icon={Trash2}
      title="Delete report"
      stackId="delete"
      run={() => call(deleteReport, { params: { id } })}
      onDone={async () => {
        toastSuccess('Report Deleted', `The report of ${formatDate(new Date(dateCreated))} on ${domain} was deleted.`);
        await onDeleted();
        restoreFocus(() => document.getElementById(getWebsiteTitleId(websiteId)));
        // The report is still visible while its dialog fades out.
        await queries.invalidateQueries({ queryKey: reportQuery(id).queryKey, refetchType: 'none' });
        await queries.invalidateQueries({ queryKey: reportsQuery(websiteId).queryKey });
        await queries.invalidateQueries({ queryKey: websitesQuery.queryKey });
      }}
      errorTitle="Failed to Delete Report"
    >
      <DeletedWithReport report={report} />
    </ConfirmButton>
  );
}

/** What is lost with a report: also the link with which other people read it. */
function DeletedWithReport({ report: { id, domain, dateCreated, harmfulBacklinks } }: { report: Report }) {
  const share = useQuery(shareQuery(id));
  return (
    <>
      The report of <DateText value={dateCreated} /> on <b data-mono>{domain}</b> with its{' '}
      {plural(harmfulBacklinks, 'harmful backlink')} will be deleted, and the trend will no longer include it.{' '}
      {share.data && 'The shared link will stop working. '}
      This action cannot be undone.
    </>
  );
}
