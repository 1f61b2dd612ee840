import { useLocation } from '@tanstack/react-router';
import { paths } from '../../../paths.ts';
import { ReportPage } from './report-page.tsx';
import { SharedReportPage } from './shared-report-page.tsx';

const sharedPrefix = paths.sharedReport.slice(0, paths.sharedReport.indexOf('$'));

/**
 * The page of a report of the user, or of one that is shared with the reader. Both are one part, because the first load
 * of every screen lists the files of all parts.
 */
export function AnyReportPage() {
  const { pathname } = useLocation();
  return pathname.startsWith(sharedPrefix) ? <SharedReportPage /> : <ReportPage />;
}
