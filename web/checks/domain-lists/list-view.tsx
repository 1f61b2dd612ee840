import { useQuery } from '@tanstack/react-query';
import { ListX } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { type DomainList, exportDomainList } from '#shared/checks/domain-lists.ts';
import { paths } from '../../paths.ts';
import { ApiError, buildUrl } from '../../platform/api.ts';
import { formatCount, plural } from '../../platform/format.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { ListNetworks } from './list-networks.tsx';
import { ListPlaceholder } from './list-placeholder.tsx';
import { ListResults } from './list-results.tsx';
import { ListSummary } from './list-summary.tsx';
import styles from './list-view.module.css';
import { type CheckScreen, listQuery } from './screen.ts';
import { SignInLink } from './sign-in-link.tsx';

/** The results of a stored list. */
export function ListView({ id, screen }: { id: string; screen: CheckScreen }) {
  const { data: list, error, refetch, isFetching } = useQuery(listQuery(id));
  if (list) return <LoadedList list={list} screen={screen} />;
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return <NoSuchList />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />;
  return <ListPlaceholder />;
}

function NoSuchList() {
  return (
    <EmptyState
      icon={ListX}
      title="This list is not available"
      description={
        <>
          Lists are deleted after 24 hours, or after 90 days if they belong to an account. A list of an account opens
          only for its owner. <SignInLink>Sign in</SignInLink>
        </>
      }
    >
      <ButtonLink to={paths.check}>Check a List</ButtonLink>
    </EmptyState>
  );
}

function LoadedList({ list, screen }: { list: DomainList; screen: CheckScreen }) {
  const { summary, networks } = list;
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that had the focus is gone with the form.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className={styles.view}>
      <div className={styles.top}>
        <h2 ref={heading} tabIndex={-1} className={styles.title}>
          {plural(summary.total, 'entry', 'entries')}: {formatCount(summary.listed)} listed,{' '}
          {formatCount(summary.notListed)} not listed
          {summary.invalid > 0 && <>, {formatCount(summary.invalid)} invalid</>}
        </h2>
        <div className={styles.buttons}>
          <DownloadButton
            variant="default"
            size="xs"
            url={buildUrl(exportDomainList, { id: list.id })}
            started={`Downloading the results for ${plural(summary.total, 'entry', 'entries')} as CSV.`}
          >
            Export CSV
          </DownloadButton>
          <ButtonLink to={paths.check} variant="default" size="xs">
            Check another list
          </ButtonLink>
        </div>
      </div>
      <div className={styles.panels} data-alone={networks.length === 0 || undefined}>
        <ListSummary summary={summary} />
        {networks.length > 0 && <ListNetworks list={list} screen={screen} />}
      </div>
      <ListResults list={list} screen={screen} />
      <p className={styles.storage}>
        {list.isPrivate ? 'Only you can open this list.' : 'Anyone with the link to this page can open this list.'} It
        is deleted on <DateText value={list.expiresAt} pattern={list.isPrivate ? 'long' : 'time'} />.{' '}
        {!list.isPrivate && <SignInLink>Sign in to keep your lists to yourself for 90 days</SignInLink>}
      </p>
    </div>
  );
}
