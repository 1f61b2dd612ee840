import { useMemo } from 'react';
import * as z from 'zod/mini';
import {
  Confidence,
  type DomainFilter,
  type DomainOrder,
  type DomainSort,
  defaultSort,
  domainSorts,
  type listDomains,
  RiskLevel,
} from '#shared/blacklist/domains.ts';
import type { QueryOf } from '#shared/platform/endpoint.ts';
import { positiveInt } from '../../platform/search-values.ts';
import { useListUrl } from '../../platform/use-list-url.ts';

export const pageSizes = [25, 50, 100] as const;
export const defaultPageSize = pageSizes[0];

/** The values of the selects that mean no filter. */
export const noFilterValue = {
  tld: 'all-tlds',
  source: 'all-sources',
  niche: 'all-niches',
  riskLevel: 'all-risk-levels',
  confidence: 'any-confidence',
} as const;

const noFilterValues: readonly string[] = Object.values(noFilterValue);

const text = z.catch(
  z.optional(
    z.pipe(
      z.union([z.string(), z.number()]),
      z.transform((value) => {
        const trimmed = String(value).trim().slice(0, 253);
        return trimmed === '' || noFilterValues.includes(trimmed) ? undefined : trimmed;
      }),
    ),
  ),
  undefined,
);

/** The search parameters of the blacklist's URL. Unknown values are ignored. */
export const domainsSearch = z.object({
  search: text,
  filter: z.catch(z.optional(z.enum(['recent'])), undefined),
  sort: z.catch(z.optional(z.enum(domainSorts)), undefined),
  tld: text,
  /** A date such as `2026-01-05`. */
  dateAdded: z.catch(z.optional(z.iso.date().check(z.refine((day) => day >= '1990-01-01'))), undefined),
  source: text,
  niche: text,
  riskLevel: z.catch(z.optional(RiskLevel), undefined),
  confidence: z.catch(z.optional(Confidence), undefined),
  /** The key of a pasted list of names. */
  list: z.catch(z.optional(z.string().check(z.regex(/^p[a-z0-9]+$/))), undefined),
  /** One-based. */
  page: positiveInt,
  pageSize: z.catch(z.optional(z.pipe(z.coerce.number(), z.literal([...pageSizes]))), undefined),
  /** The id of the domain in the dialog. Without `dialog`, its details open. */
  domain: positiveInt,
  dialog: z.catch(z.optional(z.enum(['add', 'edit', 'import', 'list'])), undefined),
});
export type DomainsSearch = z.infer<typeof domainsSearch>;

export const noFilter = {
  search: undefined,
  filter: undefined,
  tld: undefined,
  dateAdded: undefined,
  source: undefined,
  niche: undefined,
  riskLevel: undefined,
  confidence: undefined,
} as const satisfies Record<keyof DomainFilter, undefined>;

/** The filters of the 'Advanced filters' panel. */
export const advancedFilterKeys = ['tld', 'dateAdded', 'source', 'niche', 'riskLevel', 'confidence'] as const;

/** The query of the list request. Only admins can filter by source, so the source of other users is left out. */
export function toListQuery(search: DomainsSearch, isAdmin: boolean): QueryOf<typeof listDomains> {
  const { filter = 'all', tld, dateAdded, niche, riskLevel, confidence, page = 1, pageSize = defaultPageSize } = search;
  const source = isAdmin ? search.source : undefined;
  return {
    search: search.search,
    filter,
    sort: getActiveSort(search, isAdmin),
    tld,
    dateAdded,
    source,
    niche,
    riskLevel,
    confidence,
    page: page - 1,
    pageSize,
  };
}

/** The sort of the list. Only admins can sort by source. */
export function getActiveSort({ sort, filter }: Pick<DomainsSearch, 'sort' | 'filter'>, isAdmin: boolean) {
  return sort && (isAdmin || !sort.startsWith('source')) ? canonicalSort(sort) : defaultSort({ filter });
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

/** Maps sorts with two names to the name that the select uses. */
const aliases: Partial<Record<DomainSort, keyof typeof labels>> = {
  'date-desc': 'date-added',
  'risk-desc': 'risk-level',
  'source-asc': 'source',
};

/** The options of 'Sort by'. Only admins can sort by source. */
export function sortOptions(isAdmin: boolean): { value: DomainSort; label: string }[] {
  return (Object.keys(labels) as (keyof typeof labels)[])
    .filter((sort) => isAdmin || !sort.startsWith('source'))
    .map((value) => ({ value, label: labels[value] }));
}

function canonicalSort(sort: DomainSort): keyof typeof labels {
  return aliases[sort] ?? (sort as keyof typeof labels);
}

export function toDomainSort({ column, descending }: DomainOrder): DomainSort {
  return canonicalSort(`${column}-${descending ? 'desc' : 'asc'}`);
}

const closed = { dialog: undefined, domain: undefined };

/** Reads and changes the search parameters of the blacklist's URL. */
export function useDomainsScreen() {
  const listUrl = useListUrl(domainsSearch, closed);
  return useMemo(
    () => ({
      ...listUrl,
      open: (dialog: DomainsSearch['dialog'], domain?: number) => listUrl.openDialog({ dialog, domain }),
    }),
    [listUrl],
  );
}

export type DomainsScreen = ReturnType<typeof useDomainsScreen>;

/** Shows other domains. The pressed button disappears, so the focus moves to the results. */
export function showAndFocus(screen: DomainsScreen, search: Partial<DomainsSearch>): void {
  void screen.show(search);
  document.getElementById('results')?.focus({ preventScroll: true });
}
