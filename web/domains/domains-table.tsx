import type { Domain, DomainSort } from '#shared/domains.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import hidden from '../ui/hidden.module.css';
import { DomainActions } from './domain-actions.tsx';
import styles from './domains-table.module.css';
import { type Selection, selectionOf } from './selection.ts';
import { SortHeader } from './sort-header.tsx';
import { columnSortOf, sortOf } from './sorts.ts';
import { adminColumns, userColumns } from './table-columns.tsx';

interface DomainsTableProps {
  domains: Domain[];
  sort: DomainSort;
  isAdmin: boolean;
  /** The rows are those of the question before, the answer to this one is on its way. */
  isStale: boolean;
  selection: Selection;
  onSelect(next: Selection): void;
  onSort(sort: DomainSort): void;
  onDelete(domain: Domain): void;
}

/** The list on wide screens. The server sorts and pages; the columns' widths are fixed so that nothing shifts. */
export function DomainsTable(props: DomainsTableProps) {
  const { domains, sort, isAdmin, isStale, selection, onSelect, onSort, onDelete } = props;
  const columns = isAdmin ? adminColumns : userColumns;
  const sorted = columnSortOf(sort);
  const page = selectionOf(domains, selection);
  return (
    <table className={styles.table} aria-label="Domains" aria-busy={isStale} data-stale={isStale || undefined}>
      <thead className={styles.head}>
        <tr>
          {isAdmin && (
            <th scope="col" data-column="select">
              <Checkbox
                aria-label="Select all domains on this page"
                checked={page.all}
                indeterminate={page.some}
                onChange={() => onSelect(page.toggleAll())}
              />
            </th>
          )}
          {columns.map(({ id, header, sort: column }) => {
            if (!column) {
              return (
                <th key={id} scope="col" data-column={id}>
                  {header}
                </th>
              );
            }
            const isSorted = sorted.column === column;
            return (
              <SortHeader
                key={id}
                column={id}
                direction={isSorted ? (sorted.descending ? 'descending' : 'ascending') : undefined}
                onSort={() => onSort(sortOf({ column, descending: isSorted && !sorted.descending }))}
              >
                {header}
              </SortHeader>
            );
          })}
          {isAdmin && (
            <th scope="col" data-column="actions">
              <span className={hidden.hidden}>Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {domains.map((domain) => (
          <tr key={domain.id} data-selected={selection[domain.id] || undefined}>
            {isAdmin && (
              <td data-column="select">
                <Checkbox
                  aria-label={`Select ${domain.domain}`}
                  checked={selection[domain.id] ?? false}
                  onChange={() => onSelect(page.toggle(domain))}
                />
              </td>
            )}
            {columns.map(({ id, cell }) => (
              <td key={id} data-column={id}>
                {cell(domain)}
              </td>
            ))}
            {isAdmin && (
              <td data-column="actions">
                <DomainActions domain={domain} onDelete={() => onDelete(domain)} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
