import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Domain, type DomainSort, type SortColumn, toDomainOrder } from '#shared/domains.ts';
import { formatCount } from '../lib/format.ts';
import { DateText } from '../ui/date-text.tsx';
import { Checkbox } from '../ui/fields.tsx';
import hidden from '../ui/hidden.module.css';
import {
  DomainActions,
  DomainLink,
  formatCost,
  getPageSelection,
  missing,
  type Selection,
  SourceCell,
} from './domain-cells.tsx';
import { ConfidenceBadge, RiskBadge } from './domains.tsx';
import styles from './domains-table.module.css';
import { toDomainSort } from './search.ts';

interface DomainsTableProps {
  domains: Domain[];
  sort: DomainSort;
  isAdmin: boolean;
  /** Whether the rows belong to the previous query, while the current one loads. */
  isStale: boolean;
  selection: Selection;
  onSelect(next: Selection): void;
  onSort(sort: DomainSort): void;
  onDelete(domain: Domain): void;
}

/** The list of domains on wide screens. The server sorts and pages it. Fixed column widths prevent layout shifts. */
export function DomainsTable(props: DomainsTableProps) {
  const { domains, sort, isAdmin, isStale, selection, onSelect, onSort, onDelete } = props;
  const columns = getColumns(isAdmin);
  const sorted = toDomainOrder(sort);
  const page = getPageSelection(domains, selection);
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
                onSort={() => onSort(toDomainSort({ column, descending: isSorted && !sorted.descending }))}
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

interface SortHeaderProps {
  column: string;
  direction: 'ascending' | 'descending' | undefined;
  onSort(): void;
  children: ReactNode;
}

/** A column header that sorts: ascending on the first click, then descending. */
function SortHeader({ column, direction, onSort, children }: SortHeaderProps) {
  const Arrow = direction === 'ascending' ? ArrowUp : direction === 'descending' ? ArrowDown : ChevronsUpDown;
  return (
    <th scope="col" data-column={column} aria-sort={direction ?? 'none'}>
      <button type="button" className={styles.sort} onClick={onSort}>
        {children}
        <Arrow size={14} aria-hidden className={styles.arrow} />
      </button>
    </th>
  );
}

/** A column of the table. Columns with `sort` have a sortable header. */
interface TableColumn {
  id: string;
  header: ReactNode;
  sort?: SortColumn;
  cell(domain: Domain): ReactNode;
}

const getColumns = (isAdmin: boolean): TableColumn[] => [
  { id: 'domain', header: 'Domain', sort: 'domain', cell: ({ id, domain }) => <DomainLink id={id} name={domain} /> },
  { id: 'risk', header: 'Risk', sort: 'risk', cell: ({ riskLevel }) => <RiskBadge level={riskLevel} /> },
  { id: 'confidence', header: 'Confidence', cell: ({ confidence }) => <ConfidenceBadge confidence={confidence} /> },
  { id: 'niche', header: 'Niche', cell: ({ niche }) => (niche ? <OneLine text={niche} dir="auto" /> : <Missing />) },
  {
    id: 'dr',
    header: <abbr title="Domain rating">DR</abbr>,
    sort: 'dr',
    cell: ({ domainRating }) => domainRating ?? <Missing />,
  },
  {
    id: 'cost',
    header: 'Cost',
    sort: 'cost',
    cell: ({ cost }) => (formatCost(cost) === missing ? <Missing /> : <OneLine text={formatCost(cost)} />),
  },
  isAdmin
    ? { id: 'source', header: 'Source', sort: 'source', cell: ({ source }) => <SourceCell source={source} /> }
    : { id: 'sourceCount', header: 'Sources', cell: ({ sourceCount }) => formatCount(sourceCount) },
  { id: 'date', header: 'Date added', sort: 'date', cell: ({ dateAdded }) => <DateText value={dateAdded} /> },
  {
    id: 'lastUpdated',
    header: 'Last updated',
    sort: 'lastUpdated',
    cell: ({ lastUpdated }) => <DateText value={lastUpdated} />,
  },
];

/** Text that is truncated to one line and shown in full on hover. */
function OneLine({ text, dir }: { text: string; dir?: 'auto' }) {
  return (
    <span className={styles.cut} title={text} dir={dir}>
      {text}
    </span>
  );
}

function Missing() {
  return <span className={styles.missing}>{missing}</span>;
}
