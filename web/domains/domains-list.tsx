import { useMediaQuery } from '@mantine/hooks';
import { SearchX } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { type Domain, isFiltered } from '#shared/domains.ts';
import { ApiError } from '../lib/api.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import type { Selection } from './domain-cells.tsx';
import styles from './domains-list.module.css';
import type { DomainsScreen } from './screen.ts';
import { getActiveSort } from './search.ts';

const wide = '(min-width: 62em)';
const loadTable = () => import('./domains-table.tsx');
const loadCards = () => import('./domain-cards.tsx');
const SearchLimit = lazy(() => import('./search-limit.tsx').then((module) => ({ default: module.SearchLimit })));
const DomainsTable = lazy(() => loadTable().then((module) => ({ default: module.DomainsTable })));
const DomainCards = lazy(() => loadCards().then((module) => ({ default: module.DomainCards })));
// A device needs one of the two, while its rows are still on their way.
void (matchMedia(wide).matches ? loadTable() : loadCards());

interface DomainsListProps {
  screen: DomainsScreen;
  isAdmin: boolean;
  domains: Domain[] | undefined;
  error: Error | null;
  isFetching: boolean;
  isStale: boolean;
  selection: Selection;
  onSelect(next: Selection): void;
  onDelete(domain: Domain): void;
  /** Asks for them again. */
  onRetry(): Promise<{ isSuccess: boolean }>;
}

/** The rows, or what stands in their place. */
export function DomainsList(props: DomainsListProps) {
  const { screen, isAdmin, domains, error, isFetching, isStale, selection, onSelect, onDelete, onRetry } = props;
  const isWide = useMediaQuery(wide, true, { getInitialValueInEffect: false });

  if (error instanceof ApiError && error.code === 'search_limit') {
    return (
      <Suspense fallback={<DomainsSkeleton />}>
        <SearchLimit error={error} onRetry={onRetry} />
      </Suspense>
    );
  }
  if (error) return <ErrorState error={error} onRetry={() => void onRetry()} retrying={isFetching} />;
  if (!domains) return <DomainsSkeleton />;
  if (domains.length === 0) return <NoDomains screen={screen} isAdmin={isAdmin} />;

  const list = { domains, isAdmin, isStale, selection, onSelect, onDelete };
  return (
    <Suspense fallback={<DomainsSkeleton />}>
      {isWide ? (
        <DomainsTable {...list} sort={getActiveSort(screen.search, isAdmin)} onSort={(sort) => screen.show({ sort })} />
      ) : (
        <DomainCards {...list} />
      )}
    </Suspense>
  );
}

function NoDomains({ screen, isAdmin }: { screen: DomainsScreen; isAdmin: boolean }) {
  if (isFiltered(screen.search)) {
    return (
      <EmptyState title="No domains found" description="Try adjusting your search or filter criteria." icon={SearchX}>
        <Button variant="default" onClick={() => screen.clear()}>
          Clear all filters
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No domains found"
      description={
        isAdmin ? 'The blacklist is empty. Import a CSV or add the first domain.' : 'The blacklist is still empty.'
      }
      icon={SearchX}
    >
      {isAdmin && <Button onClick={() => screen.open('import')}>Import CSV</Button>}
    </EmptyState>
  );
}

interface DomainsSkeletonProps {
  columns?: number;
  rows?: number;
}

/** Stands where the list will be while its first page is on the way. */
function DomainsSkeleton({ columns = 6, rows = 5 }: DomainsSkeletonProps) {
  return (
    <div className={styles.rows} role="status" aria-label="Loading..." data-waiting>
      {places(rows).map((row) => (
        <div key={row} className={styles.row}>
          {places(columns).map((column) => (
            <span key={column} className={styles.bar} />
          ))}
        </div>
      ))}
    </div>
  );
}

const places = (count: number) => Array.from({ length: count }, (_, index) => index);
