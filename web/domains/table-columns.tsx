import { Checkbox, Text } from '@mantine/core';
import {
  createColumnHelper,
  metaHelper,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table';
import type { Domain } from '#shared/domains.ts';
import { RiskBadge } from '../lib/risk-badge.tsx';
import { DateText } from '../ui/date-text.tsx';
import { formatCost, formatCount, missing } from './display.ts';
import { DomainActions } from './domain-actions.tsx';
import { DomainLink } from './domain-link.tsx';
import { SourceLabel } from './source-label.tsx';

export interface DomainsTableMeta {
  onDelete(domain: Domain): void;
}

export const tableParts = tableFeatures({
  rowSelectionFeature,
  rowSortingFeature,
  tableMeta: metaHelper<DomainsTableMeta>(),
});

const column = createColumnHelper<typeof tableParts, Domain>();

const select = column.display({
  id: 'select',
  header: ({ table }) => (
    <Checkbox
      size="xs"
      aria-label="Select all domains on this page"
      checked={table.getIsAllRowsSelected()}
      indeterminate={table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected()}
      onChange={table.getToggleAllRowsSelectedHandler()}
    />
  ),
  cell: ({ row }) => (
    <Checkbox
      size="xs"
      aria-label={`Select ${row.original.domain}`}
      checked={row.getIsSelected()}
      onChange={row.getToggleSelectedHandler()}
    />
  ),
});

const name = column.accessor('domain', {
  id: 'domain',
  header: 'Domain',
  cell: ({ row }) => <DomainLink id={row.original.id} name={row.original.domain} />,
});

const risk = column.accessor('riskLevel', {
  id: 'risk',
  header: 'Risk',
  cell: ({ getValue }) => <RiskBadge level={getValue()} />,
});

const niche = column.accessor('niche', {
  id: 'niche',
  header: 'Niche',
  enableSorting: false,
  cell: ({ getValue }) => {
    const value = getValue();
    return value ? (
      <Text span inherit truncate display="block" title={value} dir="auto">
        {value}
      </Text>
    ) : (
      <Missing />
    );
  },
});

const rating = column.accessor('domainRating', {
  id: 'dr',
  header: () => <abbr title="Domain rating">DR</abbr>,
  cell: ({ getValue }) => getValue() ?? <Missing />,
});

const cost = column.accessor('cost', {
  id: 'cost',
  header: 'Cost',
  cell: ({ getValue }) => {
    const text = formatCost(getValue());
    return text === missing ? (
      <Missing />
    ) : (
      <Text span inherit truncate display="block" title={text}>
        {text}
      </Text>
    );
  },
});

const source = column.accessor('source', {
  id: 'source',
  header: 'Source',
  cell: ({ getValue }) => <SourceLabel source={getValue()} />,
});

const sourceCount = column.accessor('sourceCount', {
  id: 'sourceCount',
  header: 'Sources',
  enableSorting: false,
  cell: ({ getValue }) => formatCount(getValue()),
});

const added = column.accessor('dateAdded', {
  id: 'date',
  header: 'Date added',
  cell: ({ getValue }) => <DateText value={getValue()} />,
});

const updated = column.accessor('lastUpdated', {
  id: 'lastUpdated',
  header: 'Last updated',
  cell: ({ getValue }) => <DateText value={getValue()} />,
});

const actions = column.display({
  id: 'actions',
  header: 'Actions',
  cell: ({ row, table }) => (
    <DomainActions domain={row.original} onDelete={() => table.options.meta?.onDelete(row.original)} />
  ),
});

export const userColumns = column.columns([name, risk, niche, rating, cost, sourceCount, added, updated]);
export const adminColumns = column.columns([select, name, risk, niche, rating, cost, source, added, updated, actions]);

function Missing() {
  return (
    <Text span inherit c="dimmed">
      {missing}
    </Text>
  );
}
