import { type RefObject, Suspense, useRef } from 'react';
import { type Domain, toDomainOrder } from '#shared/blacklist/domains.ts';
import { ApiError } from '../../platform/api.ts';
import { isDialogOpen, useKeydown } from '../../platform/keys.ts';
import { lazyPart } from '../../platform/load-part.ts';
import { useRowKeys } from '../../platform/use-row-keys.ts';
import { useWidth } from '../../platform/use-width.ts';
import hidden from '../../ui/hidden.module.css';
import { type Selection, toggleRow } from '../../ui/selection.ts';
import { ErrorState } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { useMaxWidth } from '../../ui/use-max-width.ts';
import { cardColumns, edgeWidths, fitColumns, useChosenColumns } from './columns.tsx';
import { copyNames } from './copy-names.ts';
import { DomainActions } from './domain-cells.tsx';
import styles from './domains-list.module.css';
import { type DomainsScreen, getActiveSort, toDomainSort } from './search.ts';

const SearchLimit = lazyPart(() => import('./search-limit.tsx'), 'SearchLimit');
const NoDomains = lazyPart(() => import('./no-domains.tsx'), 'NoDomains');

interface DomainsListProps {
  /** The element around the list. */
  results: RefObject<HTMLElement | null>;
  screen: DomainsScreen;
  isAdmin: boolean;
  domains: Domain[] | undefined;
  totalPages: number;
  selection: Selection<number>;
  onSelect(selection: Selection<number>): void;
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

/** The domains, or the empty, loading or error state. */
export function DomainsList(props: DomainsListProps) {
  const { screen, isAdmin, domains, error, isFetching, onRetry } = props;
  useListKeys(props);

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
  return <DomainsTable {...props} domains={domains} />;
}

/** The chosen columns that fit. The server sorts and pages the rows. Computed widths prevent layout shifts. */
function DomainsTable(props: DomainsListProps & { domains: Domain[] }) {
  const { screen, domains, isAdmin, isStale, selection, onSelect, onDelete } = props;
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const isNarrow = useMaxWidth('narrow');
  const chosen = useChosenColumns(isAdmin);
  const shown = isNarrow ? cardColumns(isAdmin) : fitColumns(chosen, width, isAdmin);
  const columns = shown.map((column) => ({ ...column, width: `${column.width}px` }));
  const actions: Column<Domain, never> = {
    name: 'Actions',
    header: <span className={hidden.hidden}>Actions</span>,
    width: `${edgeWidths.actions}px`,
    onCard: 'mark',
    isNumber: true,
    cell: (domain) => <DomainActions domain={domain} onDelete={() => onDelete(domain)} />,
  };
  const { column, descending } = toDomainOrder(getActiveSort(screen.search, isAdmin));
  return (
    <div ref={frame} className={styles.table}>
      {width > 0 && (
        <Table
          label="Domains"
          isMain
          isFramed={false}
          columns={isAdmin ? [...columns, actions] : columns}
          rows={domains}
          getRowKey={({ id }) => id}
          isStale={isStale}
          sorted={{ by: column, direction: descending ? 'descending' : 'ascending' }}
          onSort={(by) =>
            void screen.show({ sort: toDomainSort({ column: by, descending: by === column && !descending }) })
          }
          selection={{ selected: selection, onSelect, nameOf: ({ domain }) => domain }}
        />
      )}
    </div>
  );
}

/**
 * The keys of the list: X or Space selects the focused row, with Shift all rows up to it, C copies its name, and Escape
 * clears the selection.
 */
function useListKeys(props: DomainsListProps): void {
  const { results, screen, domains = [], isStale, totalPages, selection, onSelect } = props;
  const { page = 1 } = screen.search;
  useRowKeys(results, {
    list: JSON.stringify(screen.search),
    isStale,
    hasPreviousPage: page > 1,
    hasNextPage: page < totalPages,
    turnPage: (step) => void screen.goToPage(page + step),
    onKey: ({ key, isShift, index, isOnRow }) => {
      const domain = domains[index];
      if (key === 'c' && domain) void copyNames([domain.domain]);
      else if ((key === 'x' || (key === ' ' && isOnRow)) && domain) {
        const keys = domains.map(({ id }) => id);
        onSelect(toggleRow(keys, selection, domain.id, isShift));
      } else return false;
      return true;
    },
  });
  useKeydown(({ key, target }) => {
    if (key !== 'Escape' || selection.size === 0 || isDialogOpen()) return;
    if (!(target instanceof Element) || !target.matches(escapable)) return;
    // The focused button disappears with the selection.
    if (target.closest('[data-selecting]')) results.current?.focus();
    onSelect(new Set());
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
