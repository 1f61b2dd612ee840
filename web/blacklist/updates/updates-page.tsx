import { queryOptions, useQuery } from '@tanstack/react-query';
import { getUpdates } from '#shared/blacklist/updates.ts';
import { publicPageTitles } from '../../page-titles.ts';
import { paths } from '../../paths.ts';
import { ApiError, call } from '../../platform/api.ts';
import { describePage } from '../../platform/page-state.ts';
import { useTitle } from '../../platform/use-title.ts';
import styles from '../../ui/public-page.module.css';
import { ErrorState, PendingMarker } from '../../ui/states.tsx';
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

const updatesQuery = queryOptions({
  queryKey: ['updates'],
  queryFn: ({ signal }) => call(getUpdates, { signal }),
  staleTime: 5 * 60 * 1000,
});
