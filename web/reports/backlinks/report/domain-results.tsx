import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { newForMs } from '../../../platform/endpoint-query.ts';
import { useLastPage } from '../../../platform/use-list-url.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { useIsServed } from '../../../ui/served.ts';
import { type ReportScreen, reviewQuery, toFilter } from './screen.ts';
import { isFiltered, noFilter } from './search.ts';

/** The page of listed domains that the URL describes. */
export function useDomainPage({ source, search, go }: ReportScreen) {
  const filter = toFilter(search);
  const page = (search.page ?? 1) - 1;
  const opening = useOpening(JSON.stringify(filter));
  const list = useQuery(reviewQuery(source, filter, page, () => opening.asOf));
  // A response from before can lack decisions that the list of now has to leave out.
  if (!list.isPlaceholderData && list.dataUpdatedAt > opening.at) opening.asOf ??= list.data?.asOf;
  useLastPage(page, list, (lastPage) => void go({ page: lastPage }, { replace: true }));
  return {
    /** Identifies the list. */
    key: JSON.stringify([filter, page]),
    list,
    page,
    rows: list.data?.domains ?? [],
    /** The number of domains that match the filter; undefined until it is known. */
    total: list.data?.pagination.total,
    goToPage: (next: number) => void go({ page: next > 0 ? next + 1 : undefined, open: undefined }),
  };
}

export type DomainPage = ReturnType<typeof useDomainPage>;

/** When the user set the filter, and the time of the first response since, as of which later pages are requested. */
function useOpening(filter: string): { at: number; asOf: number | undefined } {
  const opening = useRef<{ filter: string; at: number; asOf: number | undefined }>(undefined);
  // A served page contains the response.
  const isServed = useIsServed();
  if (opening.current?.filter !== filter) {
    // A screen can show what was requested just before it opened.
    const at = opening.current ? Date.now() : isServed ? 0 : Date.now() - newForMs;
    opening.current = { filter, at, asOf: undefined };
  }
  return opening.current;
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
  if (!list.data) return <QueryState query={list} height={420} title="Error Loading Report" />;
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
