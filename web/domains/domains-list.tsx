import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { SearchX } from 'lucide-react';
import type { Domain } from '#shared/domains.ts';
import { ApiError } from '../lib/api.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { DomainCards } from './domain-cards.tsx';
import { DomainsSkeleton } from './domains-skeleton.tsx';
import { DomainsTable } from './domains-table.tsx';
import { isNarrowed, sortInUse } from './search.ts';
import { SearchLimit } from './search-limit.tsx';
import type { Selection } from './selection.ts';
import type { DomainsScreen } from './use-domains-screen.ts';

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
  onRetry(): void;
}

/** The rows, or what stands in their place. */
export function DomainsList(props: DomainsListProps) {
  const { screen, isAdmin, domains, error, isFetching, isStale, selection, onSelect, onDelete, onRetry } = props;
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });

  if (error instanceof ApiError && error.status === 403) {
    return <SearchLimit error={error} onRetry={onRetry} isRetrying={isFetching} />;
  }
  if (error) return <ErrorState error={error} onRetry={onRetry} retrying={isFetching} />;
  if (!domains) return <DomainsSkeleton />;
  if (domains.length === 0) return <NoDomains screen={screen} isAdmin={isAdmin} />;

  const list = { domains, isAdmin, isStale, selection, onSelect, onDelete };
  return isWide ? (
    <DomainsTable {...list} sort={sortInUse(screen.search, isAdmin)} onSort={(sort) => screen.show({ sort })} />
  ) : (
    <DomainCards {...list} />
  );
}

function NoDomains({ screen, isAdmin }: { screen: DomainsScreen; isAdmin: boolean }) {
  if (isNarrowed(screen.search)) {
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
