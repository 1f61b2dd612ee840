import { useQuery } from '@tanstack/react-query';
import { rootRouteId, useParams, useRouter } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { ApiError } from '../../platform/api.ts';
import { describePage, pageState } from '../../platform/page-state.ts';
import { useTitle } from '../../platform/use-title.ts';
import styles from '../../ui/public-page.module.css';
import { ErrorState, PendingMarker } from '../../ui/states.tsx';
import { verdictQuery } from './queries.ts';
import { LimitReached, toDescription, toTitle, VerdictView } from './verdict.tsx';

/** The public page of a domain. */
export function DomainPage() {
  const { name } = useParams({ from: paths.domainPage });
  const { data, error, refetch, isFetching } = useQuery(verdictQuery(name));
  useTitle(data ? toTitle(data) : name);
  const { defaultNotFoundComponent: NotFound } = useRouter().options;
  const isLimited = error instanceof ApiError && error.status === 429;
  if (data)
    describePage({ description: toDescription(data), isIndexed: pageState().indexesDomains && !data.isBlacklistEmpty });
  else if (error instanceof ApiError) describePage({ description: error.message, status: error.status });
  if (data) return <VerdictView verdict={data} />;
  if (error instanceof ApiError && error.status === 400 && NotFound)
    return <NotFound isNotFound routeId={rootRouteId} />;
  if (isLimited) return <LimitReached domain={name} message={error.message} />;
  return (
    <div className={styles.page}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} /> : <PendingMarker />}
    </div>
  );
}
