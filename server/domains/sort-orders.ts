import type { DomainSort } from '#shared/domains.ts';

export type SortKey = 'name' | 'added' | 'updated' | 'risk' | 'rating' | 'cost' | 'source';

/** What a list is sorted by. Equal keys follow their ids in the same direction; unknown ratings and costs come last in both. */
export interface SortOrder {
  by: SortKey;
  descending: boolean;
}

const orders: Record<DomainSort, SortOrder> = {
  'domain-asc': { by: 'name', descending: false },
  'domain-desc': { by: 'name', descending: true },
  'date-added': { by: 'added', descending: true },
  'date-asc': { by: 'added', descending: false },
  'date-desc': { by: 'added', descending: true },
  'lastUpdated-asc': { by: 'updated', descending: false },
  'lastUpdated-desc': { by: 'updated', descending: true },
  'risk-level': { by: 'risk', descending: true },
  'risk-asc': { by: 'risk', descending: false },
  'risk-desc': { by: 'risk', descending: true },
  'dr-asc': { by: 'rating', descending: false },
  'dr-desc': { by: 'rating', descending: true },
  'cost-asc': { by: 'cost', descending: false },
  'cost-desc': { by: 'cost', descending: true },
  source: { by: 'source', descending: false },
  'source-asc': { by: 'source', descending: false },
  'source-desc': { by: 'source', descending: true },
};

/** Recently added domains come newest first unless a sort is asked for. */
export function sortOrderOf(sort: DomainSort | undefined, filter: 'all' | 'recent'): SortOrder {
  return orders[sort ?? (filter === 'recent' ? 'date-desc' : 'domain-asc')];
}

/** Keys that can be unknown. */
export const nullableKeys: ReadonlySet<SortKey> = new Set(['rating', 'cost']);
