import { queryOptions, useQuery } from '@tanstack/react-query';
import { BlacklistUpdates, getUpdates } from '#shared/blacklist/updates.ts';
import { publicPageTitles } from '../../page-titles.ts';
import { paths } from '../../paths.ts';
import { call } from '../../platform/api.ts';
import { useTitle } from '../../platform/use-title.ts';
import styles from '../../ui/public-page.module.css';
import { ErrorState, PendingMarker } from '../../ui/states.tsx';
import { UpdatesView } from './updates-view.tsx';

/** The page of updates. The server sends it with its data, which are loaded only after a link within the app. */
export function UpdatesPage() {
  useTitle(publicPageTitles[paths.updates]);
  // The server puts the content here (updates/render.tsx).
  return import.meta.env.SSR ? '__UPDATES_PAGE__' : <LoadedPage />;
}

function LoadedPage() {
  const { data, error, refetch, isFetching } = useQuery(updatesQuery);
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
  initialData: readServedUpdates,
  // The page was served with these data, so they are as old as the page.
  initialDataUpdatedAt: () => performance.timeOrigin,
});

/** The data that the server wrote into the page. Undefined on another page, or if the server did not know them. */
function readServedUpdates(): BlacklistUpdates | undefined {
  const written = document.querySelector<HTMLMetaElement>('meta[name="updates"]')?.content;
  return written ? BlacklistUpdates.parse(JSON.parse(written)) : undefined;
}
