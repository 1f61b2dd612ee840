import { useQuery } from '@tanstack/react-query';
import { publicPageTitles } from '../../page-titles.ts';
import { paths } from '../../paths.ts';
import { ApiError } from '../../platform/api.ts';
import { describePage } from '../../platform/page-state.ts';
import { useTitle } from '../../platform/use-title.ts';
import styles from '../../ui/public-page.module.css';
import { ErrorState, PendingMarker } from '../../ui/states.tsx';
import { updatesQuery } from './queries.ts';
import { UpdatesView } from './updates-view.tsx';

/** The page of updates. */
export function UpdatesPage() {
  useTitle(publicPageTitles[paths.updates]);
  const { data, error, refetch, isFetching } = useQuery(updatesQuery);
  if (error instanceof ApiError) describePage({ status: error.status });
  if (data) return <UpdatesView updates={data} />;
  return (
    <div className={styles.page}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} /> : <PendingMarker />}
    </div>
  );
}
