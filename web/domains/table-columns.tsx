import type { ReactNode } from 'react';
import type { Domain } from '#shared/domains.ts';
import { formatCount } from '../lib/format-count.ts';
import { DateText } from '../ui/date-text.tsx';
import { formatCost, missing } from './display.ts';
import { DomainLink } from './domain-link.tsx';
import { RiskBadge } from './domains.tsx';
import styles from './domains-table.module.css';
import type { SortColumn } from './sorts.ts';
import { SourceCell } from './source-cell.tsx';

/** A column of the table; those with a `sort` can be sorted by their header. */
export interface TableColumn {
  id: string;
  header: ReactNode;
  sort?: SortColumn;
  cell(domain: Domain): ReactNode;
}

const name: TableColumn = {
  id: 'domain',
  header: 'Domain',
  sort: 'domain',
  cell: ({ id, domain }) => <DomainLink id={id} name={domain} />,
};

const risk: TableColumn = {
  id: 'risk',
  header: 'Risk',
  sort: 'risk',
  cell: ({ riskLevel }) => <RiskBadge level={riskLevel} />,
};

const niche: TableColumn = {
  id: 'niche',
  header: 'Niche',
  cell: ({ niche }) =>
    niche ? (
      <span className={styles.cut} title={niche} dir="auto">
        {niche}
      </span>
    ) : (
      <Missing />
    ),
};

const rating: TableColumn = {
  id: 'dr',
  header: <abbr title="Domain rating">DR</abbr>,
  sort: 'dr',
  cell: ({ domainRating }) => domainRating ?? <Missing />,
};

const cost: TableColumn = {
  id: 'cost',
  header: 'Cost',
  sort: 'cost',
  cell: ({ cost }) => {
    const text = formatCost(cost);
    return text === missing ? (
      <Missing />
    ) : (
      <span className={styles.cut} title={text}>
        {text}
      </span>
    );
  },
};

const source: TableColumn = {
  id: 'source',
  header: 'Source',
  sort: 'source',
  cell: ({ source }) => <SourceCell source={source} />,
};

const sourceCount: TableColumn = {
  id: 'sourceCount',
  header: 'Sources',
  cell: ({ sourceCount }) => formatCount(sourceCount),
};

const added: TableColumn = {
  id: 'date',
  header: 'Date added',
  sort: 'date',
  cell: ({ dateAdded }) => <DateText value={dateAdded} />,
};

const updated: TableColumn = {
  id: 'lastUpdated',
  header: 'Last updated',
  sort: 'lastUpdated',
  cell: ({ lastUpdated }) => <DateText value={lastUpdated} />,
};

export const userColumns: readonly TableColumn[] = [name, risk, niche, rating, cost, sourceCount, added, updated];
export const adminColumns: readonly TableColumn[] = [name, risk, niche, rating, cost, source, added, updated];

function Missing() {
  return <span className={styles.missing}>{missing}</span>;
}
