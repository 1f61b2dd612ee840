import type { ReactNode } from 'react';
import type { Domain, SortColumn } from '#shared/blacklist/domains.ts';
import { formatCount } from '../../platform/format.ts';
import { storedChoice } from '../../platform/storage.ts';
import { DateText } from '../../ui/date-text.tsx';
import styles from './columns.module.css';
import { DomainLink, formatCost, missing } from './domain-cells.tsx';
import { ConfidenceBadge, RiskBadge } from './domains.tsx';
import { SourceLabel } from './source-label.tsx';

/** A column of the table. Columns with `sort` have a sortable header. */
export interface TableColumn {
  id: string;
  header: string;
  /** The meaning of an abbreviated header. */
  title?: string;
  sort?: SortColumn;
  /** The smallest width, in pixels. */
  width: number;
  /** Its share of the remaining width: 1 by default. */
  grow?: number;
  isNumber?: true;
  /** Whether it is shown only if the user chooses it. */
  isOptional?: true;
  cell(domain: Domain): ReactNode;
}

const domainColumn: TableColumn = {
  id: 'domain',
  header: 'Domain',
  sort: 'domain',
  width: 190,
  grow: 4,
  cell: ({ id, domain }) => <DomainLink id={id} name={domain} />,
};

/** The columns that users can show and hide, in their order. */
export const listColumns = (isAdmin: boolean): TableColumn[] => [
  {
    id: 'risk',
    header: 'Risk',
    sort: 'risk',
    width: 150,
    cell: ({ riskLevel }) => <RiskBadge level={riskLevel} />,
  },
  {
    id: 'confidence',
    header: 'Confidence',
    width: 106,
    cell: ({ confidence }) => <ConfidenceBadge confidence={confidence} />,
  },
  { id: 'niche', header: 'Niche', width: 108, grow: 2, cell: ({ niche }) => <OneLine text={niche} /> },
  {
    id: 'dr',
    header: 'DR',
    title: 'Domain rating',
    sort: 'dr',
    width: 60,
    isNumber: true,
    cell: ({ domainRating }) => <OneLine text={domainRating} />,
  },
  {
    id: 'cost',
    header: 'Cost',
    sort: 'cost',
    width: 96,
    isNumber: true,
    cell: ({ cost }) => <OneLine text={formatCost(cost)} />,
  },
  isAdmin
    ? {
        id: 'source',
        header: 'Source',
        sort: 'source',
        width: 134,
        grow: 4,
        cell: ({ source }) => <SourceLabel source={source} />,
      }
    : {
        id: 'source',
        header: 'Sources',
        width: 84,
        isNumber: true,
        cell: ({ sourceCount }) => formatCount(sourceCount),
      },
  {
    id: 'date',
    header: 'Date added',
    sort: 'date',
    width: 116,
    cell: ({ dateAdded }) => <DateText value={dateAdded} />,
  },
  {
    id: 'lastUpdated',
    header: 'Last updated',
    sort: 'lastUpdated',
    width: 128,
    cell: ({ lastUpdated }) => <DateText value={lastUpdated} />,
  },
  {
    id: 'firstListed',
    header: 'First listed',
    width: 112,
    isOptional: true,
    cell: ({ firstListedAt }) => <DateText value={firstListedAt} />,
  },
  {
    id: 'independent',
    header: 'Independent sources',
    width: 154,
    isNumber: true,
    isOptional: true,
    cell: ({ independentSourceCount }) => formatCount(independentSourceCount),
  },
  {
    id: 'outboundLinks',
    header: 'Outbound links',
    width: 124,
    isNumber: true,
    isOptional: true,
    cell: ({ outboundLinks }) => <OneLine text={outboundLinks === null ? null : formatCount(outboundLinks)} />,
  },
  {
    id: 'description',
    header: 'Description',
    width: 200,
    grow: 4,
    isOptional: true,
    cell: ({ description }) => <OneLine text={description} />,
  },
];

const choice = storedChoice('domain-columns');
const ids = (columns: readonly TableColumn[]) => columns.map(({ id }) => id).join();
const byDefault = (columns: readonly TableColumn[]) => columns.filter(({ isOptional }) => !isOptional);

/** The columns that the user has chosen on this device, without the column of the domain. */
export function useChosenColumns(isAdmin: boolean): TableColumn[] {
  const chosen = choice.use()?.split(',');
  const columns = listColumns(isAdmin);
  return chosen ? columns.filter(({ id }) => chosen.includes(id)) : byDefault(columns);
}

/** Saves which columns to show. Undefined restores the default. */
export function chooseColumns(columns: readonly TableColumn[] | undefined): void {
  choice.set(columns && ids(columns));
}

/** The widths of the cells for the checkbox and for the buttons of admins. */
export const edgeWidths = { select: 44, actions: 80 };

/**
 * Returns the column of the domain and those of `chosen` that fit beside it, from the left, with the widths that fill
 * the table.
 * @param tableWidth in pixels
 */
export function fitColumns(chosen: readonly TableColumn[], tableWidth: number, isAdmin: boolean): TableColumn[] {
  let rest = tableWidth - domainColumn.width - edgeWidths.select - (isAdmin ? edgeWidths.actions : 0);
  const shown = [domainColumn];
  for (const column of chosen) {
    if (column.width > rest) break;
    rest -= column.width;
    shown.push(column);
  }
  const share = Math.max(0, rest) / shown.reduce((sum, { grow = 1 }) => sum + grow, 0);
  return shown.map((column) => ({ ...column, width: column.width + share * (column.grow ?? 1) }));
}

/** Text that is truncated to one line and shown in full on hover, or the placeholder of a missing value. */
function OneLine({ text }: { text: string | number | null }) {
  const isMissing = text === null || text === '' || text === missing;
  return (
    <span className={isMissing ? styles.missing : styles.cut} title={isMissing ? undefined : String(text)} dir="auto">
      {isMissing ? missing : text}
    </span>
  );
}
