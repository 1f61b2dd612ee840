import type { DomainSort } from '#shared/domains.ts';

export type SortColumn = 'domain' | 'risk' | 'date' | 'lastUpdated' | 'dr' | 'cost' | 'source';

/** A header's column with its direction. */
export interface ColumnSort {
  column: SortColumn;
  descending: boolean;
}

const labels = {
  'domain-asc': 'Domain A-Z',
  'domain-desc': 'Domain Z-A',
  'date-added': 'Date added',
  'date-asc': 'Date added, oldest first',
  'lastUpdated-desc': 'Last updated',
  'lastUpdated-asc': 'Last updated, oldest first',
  'risk-level': 'Risk, highest first',
  'risk-asc': 'Risk, lowest first',
  'dr-desc': 'DR, highest first',
  'dr-asc': 'DR, lowest first',
  'cost-desc': 'Cost, highest first',
  'cost-asc': 'Cost, lowest first',
  source: 'Source A-Z',
  'source-desc': 'Source Z-A',
} as const satisfies Partial<Record<DomainSort, string>>;

/** The sorts that have two names, by the name that a select does not use. */
const aliases: Partial<Record<DomainSort, keyof typeof labels>> = {
  'date-desc': 'date-added',
  'risk-desc': 'risk-level',
  'source-asc': 'source',
};

/** The options of 'Sort by'; sources are for admins. */
export function sortOptions(isAdmin: boolean): { value: DomainSort; label: string }[] {
  return (Object.keys(labels) as (keyof typeof labels)[])
    .filter((sort) => isAdmin || !sort.startsWith('source'))
    .map((value) => ({ value, label: labels[value] }));
}

export function sortLabel(sort: DomainSort): string {
  return labels[canonicalSort(sort)];
}

export function canonicalSort(sort: DomainSort): keyof typeof labels {
  return aliases[sort] ?? (sort as keyof typeof labels);
}

export function sortOf({ column, descending }: ColumnSort): DomainSort {
  return canonicalSort(`${column}-${descending ? 'desc' : 'asc'}`);
}

export function columnSortOf(sort: DomainSort): ColumnSort {
  if (sort === 'date-added') return { column: 'date', descending: true };
  if (sort === 'risk-level') return { column: 'risk', descending: true };
  if (sort === 'source') return { column: 'source', descending: false };
  const [column, direction] = sort.split('-') as [SortColumn, string];
  return { column, descending: direction === 'desc' };
}
