import { type RowSelectionState, useTable } from '@tanstack/react-table';
import { useMemo } from 'react';
import type { Domain, DomainSort } from '#shared/domains.ts';
import styles from './domains-table.module.css';
import { SortHeader } from './sort-header.tsx';
import { columnSortOf, type SortColumn, sortOf } from './sorts.ts';
import { adminColumns, tableParts, userColumns } from './table-columns.tsx';

interface DomainsTableProps {
  domains: Domain[];
  sort: DomainSort;
  isAdmin: boolean;
  /** The rows are those of the question before, the answer to this one is on its way. */
  isStale: boolean;
  /** Ids as keys. */
  selection: RowSelectionState;
  onSelect(next: RowSelectionState): void;
  onSort(sort: DomainSort): void;
  onDelete(domain: Domain): void;
}

/** The list on wide screens. The server sorts and pages; the columns' widths are fixed so that nothing shifts. */
export function DomainsTable(props: DomainsTableProps) {
  const { domains, sort, isAdmin, isStale, selection, onSelect, onSort, onDelete } = props;
  const sorted = columnSortOf(sort);
  const sorting = useMemo(() => {
    const { column, descending } = columnSortOf(sort);
    return [{ id: column, desc: descending }];
  }, [sort]);

  const table = useTable({
    features: tableParts,
    columns: isAdmin ? adminColumns : userColumns,
    data: domains,
    getRowId: (domain) => String(domain.id),
    manualSorting: true,
    enableSortingRemoval: false,
    state: { rowSelection: selection, sorting },
    onRowSelectionChange: (update) => onSelect(typeof update === 'function' ? update(selection) : update),
    meta: { onDelete },
  });

  return (
    <table className={styles.table} aria-label="Domains" aria-busy={isStale} data-stale={isStale || undefined}>
      <thead className={styles.head}>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id}>
            {group.headers.map((header) => {
              const { id } = header.column;
              const content = <table.FlexRender header={header} />;
              if (!header.column.getCanSort()) {
                return (
                  <th key={id} scope="col" data-column={id}>
                    {id === 'actions' ? <span className={styles.hidden}>{content}</span> : content}
                  </th>
                );
              }
              const isSorted = sorted.column === id;
              return (
                <SortHeader
                  key={id}
                  column={id}
                  direction={isSorted ? (sorted.descending ? 'descending' : 'ascending') : undefined}
                  onSort={() =>
                    onSort(sortOf({ column: id as SortColumn, descending: isSorted && !sorted.descending }))
                  }
                >
                  {content}
                </SortHeader>
              );
            })}
          </tr>
        ))}
      </thead>
      <tbody>
        {table.getRowModel().rows.map((row) => (
          <tr key={row.id} data-selected={row.getIsSelected() || undefined}>
            {row.getAllCells().map((cell) => (
              <td key={cell.id} data-column={cell.column.id}>
                <table.FlexRender cell={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
