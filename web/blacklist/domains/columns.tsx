import type { Domain, SortColumn } from '#shared/blacklist/domains.ts';
import { formatCount } from '../../platform/format.ts';
import { storedChoice } from '../../platform/storage.ts';
import { DateText } from '../../ui/date-text.tsx';
import type { Column } from '../../ui/table.tsx';
import styles from './columns.module.css';
import { DomainLink, formatCost, missing } from './domain-cells.tsx';
import { ConfidenceBadge, RiskBadge, SourceCount } from './domains.tsx';
import { SourceLabel } from './source-label.tsx';

/** A column of the list. The first one, with the domain, is always shown. */
export interface DomainColumn extends Omit<Column<Domain, SortColumn>, 'width'> {
  id: string;
  /** The meaning of an abbreviated name. */
  title?: string;
  /** The smallest width, in pixels. */
  width: number;
  /** Its share of the remaining width: 1 by default. */
  grow?: number;
  /** Whether it is shown only if the user chooses it. */
  isOptional?: true;
}

const domainColumn: DomainColumn = {
  id: 'domain',
  name: 'Domain',
  sort: 'domain',
  width: 190,
  grow: 4,
  onCard: 'title',
  cell: ({ id, domain }) => <DomainLink id={id} name={domain} />,
};

const sourceColumn: DomainColumn = {
  id: 'source',
  name: 'Source',
  sort: 'source',
  width: 134,
  grow: 4,
  onCard: 'mark',
  cell: ({ source }) => <SourceLabel source={source} />,
};

/** The columns that users can show and hide, in their order. */
export const listColumns = (isAdmin: boolean): DomainColumn[] => [
  {
    id: 'risk',
    name: 'Risk',
    sort: 'risk',
    width: 150,
    onCard: 'mark',
    cell: ({ riskLevel }) => <RiskBadge level={riskLevel} />,
  },
  {
    // The column of admins with this id has the names.
    id: isAdmin ? 'independent' : 'source',
    name: 'Sources',
    width: 132,
    onCard: 'mark',
    cell: (domain) => <SourceCount {...domain} />,
  },
  {
    id: 'confidence',
    name: 'Confidence',
    width: 106,
    onCard: 'mark',
    cell: ({ confidence }) => <ConfidenceBadge confidence={confidence} />,
  },
  {
    id: 'niche',
    name: 'Niche',
    width: 108,
    grow: 2,
    onCard: 'mark',
    cell: ({ niche }) => <OneLine text={niche} />,
  },
  {
    id: 'dr',
    name: 'DR',
    title: 'Domain rating',
    header: <abbr title="Domain rating">DR</abbr>,
    sort: 'dr',
    width: 60,
    isNumber: true,
    cell: ({ domainRating }) => <OneLine text={domainRating} />,
  },
  {
    id: 'cost',
    name: 'Cost',
    sort: 'cost',
    width: 96,
    isNumber: true,
    cell: ({ cost }) => <OneLine text={formatCost(cost)} />,
  },
  ...(isAdmin ? [sourceColumn] : []),
  {
    id: 'date',
    name: 'Date added',
    sort: 'date',
    width: 116,
    onCard: 'number',
    cell: ({ dateAdded }) => <DateText value={dateAdded} />,
  },
  {
    id: 'lastUpdated',
    name: 'Last updated',
    sort: 'lastUpdated',
    width: 128,
    onCard: 'hidden',
    cell: ({ lastUpdated }) => <DateText value={lastUpdated} />,
  },
  {
    id: 'firstListed',
    name: 'First listed',
    width: 112,
    isOptional: true,
    cell: ({ firstListedAt }) => <DateText value={firstListedAt} />,
  },
  {
    id: 'outboundLinks',
    name: 'Outbound links',
    width: 124,
    isNumber: true,
    isOptional: true,
    cell: ({ outboundLinks }) => <OneLine text={outboundLinks === null ? null : formatCount(outboundLinks)} />,
  },
  {
    id: 'description',
    name: 'Description',
    width: 200,
    grow: 4,
    isOptional: true,
    cell: ({ description }) => <OneLine text={description} />,
  },
];

const choice = storedChoice('domain-columns');
const ids = (columns: readonly DomainColumn[]) => columns.map(({ id }) => id).join();
const byDefault = (columns: readonly DomainColumn[]) => columns.filter(({ isOptional }) => !isOptional);

/** The columns that the user has chosen on this device, without the column of the domain. */
export function useChosenColumns(isAdmin: boolean): DomainColumn[] {
  const chosen = choice.use()?.split(',');
  const columns = listColumns(isAdmin);
  return chosen ? columns.filter(({ id }) => chosen.includes(id)) : byDefault(columns);
}

/** The columns of the cards, which have room for all that are not optional. */
export const cardColumns = (isAdmin: boolean): DomainColumn[] => [domainColumn, ...byDefault(listColumns(isAdmin))];

/** Saves which columns to show. Undefined restores the default. */
export function chooseColumns(columns: readonly DomainColumn[] | undefined): void {
  choice.set(columns && ids(columns));
}

/** The widths of the cells for the checkbox and for the buttons of admins. */
export const edgeWidths = { select: 44, actions: 80 };

/**
 * Returns the column of the domain and those of `chosen` that fit beside it, from the left, with the widths that fill
 * the table.
 * @param tableWidth in pixels
 */
export function fitColumns(chosen: readonly DomainColumn[], tableWidth: number, isAdmin: boolean): DomainColumn[] {
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
    <span
      className={isMissing ? styles.missing : styles.cut}
      data-missing={isMissing || undefined}
      title={isMissing ? undefined : String(text)}
      dir="auto"
    >
      {isMissing ? missing : text}
    </span>
  );
}
