import { Suspense } from 'react';
import type { Domain } from '#shared/blacklist/domains.ts';
import { ApiError } from '../../platform/api.ts';
import { isDialogOpen, isSingleKey, useKeydown } from '../../platform/keys.ts';
import { lazyPart, loadPart } from '../../platform/load-part.ts';
import { maxWidths } from '../../ui/breakpoints.ts';
import { ErrorState } from '../../ui/states.tsx';
import { toastError } from '../../ui/toast.tsx';
import { useMaxWidth } from '../../ui/use-max-width.ts';
import type { SelectionProps } from './domain-cells.tsx';
import styles from './domains-list.module.css';
import type { DomainsScreen } from './screen.ts';
import { getActiveSort } from './search.ts';

const loadTable = () => import('./domains-table.tsx');
const loadCards = () => import('./domain-cards.tsx');
const SearchLimit = lazyPart(async () => (await import('./search-limit.tsx')).SearchLimit);
const NoDomains = lazyPart(async () => (await import('./no-domains.tsx')).NoDomains);
const DomainsTable = lazyPart(async () => (await loadTable()).DomainsTable);
const DomainCards = lazyPart(async () => (await loadCards()).DomainCards);
// A device needs only one of the two. Load it in parallel with the rows.
if (!import.meta.env.SSR)
  void loadPart<unknown>(matchMedia(`(max-width: ${maxWidths.narrow})`).matches ? loadCards : loadTable);

interface DomainsListProps extends Omit<SelectionProps, 'domains'> {
  screen: DomainsScreen;
  isAdmin: boolean;
  domains: Domain[] | undefined;
  error: Error | null;
  isFetching: boolean;
  isStale: boolean;
  onDelete(domain: Domain): void;
  /** Reloads the list. */
  onRetry(): Promise<{ isSuccess: boolean }>;
}

export function isSearchLimit(error: Error | null): error is ApiError {
  return error instanceof ApiError && error.code === 'search_limit';
}

/** The domains as a table or cards, or the empty, loading or error state. */
export function DomainsList(props: DomainsListProps) {
  const { screen, isAdmin, domains, error, isFetching, isStale, selection, onSelect, onDelete, onRetry } = props;
  const isNarrow = useMaxWidth('narrow');
  useRowKeys({ domains: domains ?? [], selection, onSelect });

  if (isSearchLimit(error)) {
    return (
      <Suspense fallback={<DomainsSkeleton />}>
        <SearchLimit error={error} onRetry={onRetry} />
      </Suspense>
    );
  }
  if (error && !domains) return <ErrorState error={error} onRetry={() => void onRetry()} retrying={isFetching} />;
  if (!domains) return <DomainsSkeleton />;
  if (domains.length === 0) {
    return (
      <Suspense fallback={<DomainsSkeleton />}>
        <NoDomains screen={screen} isAdmin={isAdmin} />
      </Suspense>
    );
  }

  const list = { domains, isAdmin, isStale, selection, onSelect, onDelete };
  return (
    <Suspense fallback={<DomainsSkeleton rows={domains.length} />}>
      {isNarrow ? (
        <DomainCards {...list} />
      ) : (
        <DomainsTable {...list} sort={getActiveSort(screen.search, isAdmin)} onSort={(sort) => screen.show({ sort })} />
      )}
    </Suspense>
  );
}

/** The keys that move through the rows and select them. Their code is loaded when one is first pressed. */
function useRowKeys({ domains, selection, onSelect }: SelectionProps): void {
  useKeydown((event) => {
    const { target, shiftKey } = event;
    if (!(target instanceof Element) || target.closest('[role="menu"]')) return;
    const key = event.key.toLowerCase();
    const isRowKey = key === ' ' ? target.matches('[data-row]') : /^[jkxc]$/.test(key);
    const isClearing = key === 'escape' && selection.size > 0 && target.matches(escapable) && !isDialogOpen();
    if (!isClearing && !(isRowKey && isSingleKey(event))) return;
    // Space would scroll the page.
    event.preventDefault();
    void loadPart(() => import('./row-keys.ts')).then(
      ({ pressRowKey }) => pressRowKey(key, shiftKey, { domains, onSelect }),
      () => toastError('Something went wrong', 'Reload the page.'),
    );
  });
}

/** Where Escape clears the selection. An open explanation closes first. */
const escapable = 'body, #results, #results :not([data-mantine-stop-propagation="true"])';

interface DomainsSkeletonProps {
  columns?: number;
  rows?: number;
}

/** The placeholder of the list while its first page loads. */
function DomainsSkeleton({ columns = 6, rows = 5 }: DomainsSkeletonProps) {
  return (
    <div className={styles.rows} role="status" aria-label="Loading..." data-waiting>
      {range(rows).map((row) => (
        <div key={row} className={styles.row}>
          {range(columns).map((column) => (
            <span key={column} className={styles.bar} />
          ))}
        </div>
      ))}
    </div>
  );
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
