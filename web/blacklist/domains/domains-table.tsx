import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { type Domain, type DomainSort, toDomainOrder } from '#shared/blacklist/domains.ts';
import { useWidth } from '../../platform/use-width.ts';
import hidden from '../../ui/hidden.module.css';
import { edgeWidths, fitColumns, useChosenColumns } from './columns.tsx';
import { DomainActions, type SelectionProps, SelectPage, SelectRow } from './domain-cells.tsx';
import styles from './domains-table.module.css';
import { toDomainSort } from './search.ts';

interface DomainsTableProps extends SelectionProps {
  sort: DomainSort;
  isAdmin: boolean;
  /** Whether the rows belong to the previous query, while the current one loads. */
  isStale: boolean;
  onSort(sort: DomainSort): void;
  onDelete(domain: Domain): void;
}

/**
 * The list of domains on wide screens, with the chosen columns that fit. The server sorts and pages it. Computed column
 * widths prevent layout shifts.
 */
export function DomainsTable(props: DomainsTableProps) {
  const { domains, sort, isAdmin, isStale, selection, onSelect, onSort, onDelete } = props;
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const columns = fitColumns(useChosenColumns(isAdmin), width, isAdmin);
  const sorted = toDomainOrder(sort);
  const selecting = { domains, selection, onSelect };
  return (
    <div ref={frame}>
      {width > 0 && (
        <table className={styles.table} aria-label="Domains" aria-busy={isStale} data-stale={isStale || undefined}>
          <colgroup>
            <col style={{ width: edgeWidths.select }} />
            {columns.map((column) => (
              <col key={column.id} style={{ width: column.width }} />
            ))}
            {isAdmin && <col style={{ width: edgeWidths.actions }} />}
          </colgroup>
          <thead className={styles.head}>
            <tr>
              <th scope="col" data-column="select">
                <SelectPage aria-label="Select all domains on this page" {...selecting} />
              </th>
              {columns.map(({ id, header, title, sort: column, isNumber }) => {
                const isSorted = sorted.column === column;
                const direction = isSorted ? (sorted.descending ? 'descending' : 'ascending') : undefined;
                const text = title ? <abbr title={title}>{header}</abbr> : header;
                return (
                  <th
                    key={id}
                    scope="col"
                    data-column={id}
                    data-number={isNumber}
                    aria-sort={column && (direction ?? 'none')}
                  >
                    {column ? (
                      <SortButton
                        direction={direction}
                        onSort={() => onSort(toDomainSort({ column, descending: isSorted && !sorted.descending }))}
                      >
                        {text}
                      </SortButton>
                    ) : (
                      text
                    )}
                  </th>
                );
              })}
              {isAdmin && (
                <th scope="col" data-number>
                  <span className={hidden.hidden}>Actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {domains.map((domain) => (
              <tr key={domain.id} data-selected={selection.has(domain.id) || undefined}>
                <td data-column="select">
                  <SelectRow domain={domain} {...selecting} />
                </td>
                {columns.map(({ id, isNumber, cell }) => (
                  <td key={id} data-column={id} data-number={isNumber}>
                    {cell(domain)}
                  </td>
                ))}
                {isAdmin && (
                  <td data-number>
                    <DomainActions domain={domain} onDelete={() => onDelete(domain)} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

interface SortButtonProps {
  direction: 'ascending' | 'descending' | undefined;
  onSort(): void;
  children: ReactNode;
}

/** The header of a column that sorts: ascending on the first click, then descending. */
function SortButton({ direction, onSort, children }: SortButtonProps) {
  const Arrow = direction === 'ascending' ? ArrowUp : direction === 'descending' ? ArrowDown : ChevronsUpDown;
  return (
    <button type="button" className={styles.sort} onClick={onSort}>
      {children}
      <Arrow size={14} aria-hidden className={styles.arrow} />
    </button>
  );
}
