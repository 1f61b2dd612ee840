import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { useLastPage } from '../../lib/use-list-url.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { domainsPerPage, type ReportScreen, reviewQuery, toFilter } from './screen.ts';
import { isFiltered, noFilter } from './search.ts';

/** The page of listed domains that the URL describes. */
export function useDomainPage({ source, search, go }: ReportScreen) {
  const filter = toFilter(search);
  const page = (search.page ?? 1) - 1;
  const asOf = useOpenedAt(JSON.stringify(filter));
  const list = useQuery(reviewQuery(source, filter, page, asOf.value));
  asOf.set(list.isPlaceholderData ? undefined : list.data?.asOf);
  useLastPage(page, list.data?.pagination.totalPages, (lastPage) => void go({ page: lastPage }, { replace: true }));
  return {
    /** Identifies the list. */
    key: JSON.stringify([filter, page]),
    list,
    page,
    rows: list.data?.domains ?? [],
    /** The number of domains that match the filter; undefined until it is known. */
    total: list.data?.pagination.total,
    /** The time as of which the list is shown. */
    asOf: asOf.value,
    goToPage: (next: number) => void go({ page: next > 0 ? next + 1 : undefined, open: undefined }),
  };
}

export type DomainPage = ReturnType<typeof useDomainPage>;

/** The time of the first response for a filter. Later pages of it are requested as of then. */
function useOpenedAt(filter: string) {
  const opened = useRef<{ filter: string; at: number | undefined }>({ filter, at: undefined });
  if (opened.current.filter !== filter) opened.current = { filter, at: undefined };
  return {
    value: opened.current.at,
    set: (at: number | undefined) => {
      opened.current.at ??= at;
    },
  };
}

interface DomainResultsProps {
  screen: ReportScreen;
  domainPage: DomainPage;
  /** The loaded list, which has rows. */
  children: ReactNode;
}

/** The list of listed domains, or why it is empty, is not loaded, or has no rows. */
export function DomainResults({ screen, domainPage: { list, rows }, children }: DomainResultsProps) {
  const { search, show } = screen;
  if (list.isError && !list.data) {
    return <ErrorState title="Error Loading Report" error={list.error} onRetry={() => void list.refetch()} />;
  }
  if (!list.data) return <Skeleton height={420} radius="md" data-waiting aria-label="Loading..." role="status" />;
  if (rows.length > 0) return children;
  const isReviewed = search.decision === 'undecided' && !isFiltered({ ...search, decision: undefined });
  return (
    <EmptyState
      title={isReviewed ? 'All domains reviewed' : 'No matching domains'}
      description={isReviewed ? 'You have decided about every toxic domain of this report.' : 'Try other filters.'}
      order={3}
    >
      {isFiltered(search) && (
        <Button variant="default" onClick={() => void show(noFilter)}>
          Show all domains
        </Button>
      )}
    </EmptyState>
  );
}

export function DomainPages({ domainPage: { page, total = 0, goToPage } }: { domainPage: DomainPage }) {
  return (
    <Pagination page={page} pageSize={domainsPerPage} total={total} label="Pages of domains" onChange={goToPage} />
  );
}
