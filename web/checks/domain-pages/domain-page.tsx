import { queryOptions, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { DomainVerdict, getDomainVerdict } from '#shared/checks/domain-pages.ts';
import { paths } from '../../paths.ts';
import { ApiError, call } from '../../platform/api.ts';
import { useTitle } from '../../platform/use-title.ts';
import styles from '../../ui/public-page.module.css';
import { ErrorState, PendingMarker } from '../../ui/states.tsx';
import { LimitReached, toTitle, VerdictView } from './verdict.tsx';

/**
 * The public page of a domain. The server sends it with the facts, which are loaded only after a link within the app.
 */
export function DomainPage() {
  // The server puts the content of each domain here (domain-page/render.tsx).
  return import.meta.env.SSR ? '__DOMAIN_PAGE__' : <LoadedPage />;
}

function LoadedPage() {
  const { name } = useParams({ from: paths.domainPage });
  const { data, error, refetch, isFetching } = useQuery(verdictQuery(name));
  useTitle(data ? toTitle(data) : name);
  if (data) return <VerdictView verdict={data} />;
  if (error instanceof ApiError && error.status === 429) return <LimitReached domain={name} message={error.message} />;
  return (
    <div className={styles.page}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} /> : <PendingMarker />}
    </div>
  );
}

const verdictQuery = (name: string) =>
  queryOptions({
    queryKey: ['domains', 'verdict', name],
    queryFn: ({ signal }) => call(getDomainVerdict, { params: { name }, signal }),
    initialData: () => readServedVerdict(name),
  });

/** The facts that the server wrote into the page. Undefined on the page of another domain. */
function readServedVerdict(name: string): DomainVerdict | undefined {
  const written = document.querySelector<HTMLMetaElement>('meta[name="domain-verdict"]')?.content;
  if (!written) return undefined;
  const verdict = DomainVerdict.parse(JSON.parse(written));
  return verdict.domain === name ? verdict : undefined;
}
