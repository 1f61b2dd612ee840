import * as z from 'zod/mini';
import {
  type DomainFilter,
  type DomainOrder,
  type DomainSort,
  defaultSort,
  domainSorts,
  type listDomains,
  RiskLevel,
} from '#shared/domains.ts';
import type { QueryOf } from '#shared/endpoint.ts';
import { positiveInt } from '../lib/search-values.ts';

export const pageSizes = [25, 50, 100] as const;
export const defaultPageSize = pageSizes[0];

/** What selects say for 'no filter'. */
export const anyValue = {
  tld: 'all-tlds',
  source: 'all-sources',
  niche: 'all-niches',
  riskLevel: 'all-risk-levels',
} as const;

const anyValues: readonly string[] = Object.values(anyValue);

const text = z.catch(
  z.optional(
    z.pipe(
      z.union([z.string(), z.number()]),
      z.transform((value) => {
        const trimmed = String(value).trim().slice(0, 253);
        return trimmed === '' || anyValues.includes(trimmed) ? undefined : trimmed;
      }),
    ),
  ),
  undefined,
);

/** What the address of the blacklist says. An unknown value falls back to none. */
export const domainsSearch = z.object({
  search: text,
  filter: z.catch(z.optional(z.enum(['recent'])), undefined),
  sort: z.catch(z.optional(z.enum(domainSorts)), undefined),
  tld: text,
  /** A day, `2026-01-05`. */
  dateAdded: z.catch(z.optional(z.iso.date().check(z.refine((day) => day >= '1990-01-01'))), undefined),
  source: text,
  niche: text,
  riskLevel: z.catch(z.optional(RiskLevel), undefined),
  /** From one. */
  page: positiveInt,
  pageSize: z.catch(z.optional(z.pipe(z.coerce.number(), z.literal([...pageSizes]))), undefined),
  /** The id of the domain that a dialog is about; without `dialog` its details. */
  domain: positiveInt,
  dialog: z.catch(z.optional(z.enum(['add', 'edit', 'import'])), undefined),
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
} as const satisfies Record<keyof DomainFilter, undefined>;

/** The filters of the advanced panel. */
export const advancedNames = ['tld', 'dateAdded', 'source', 'niche', 'riskLevel'] as const;

/** The query that a list is asked with. Sources are for admins, so others' are left out. */
export function queryOf(search: DomainsSearch, isAdmin: boolean): QueryOf<typeof listDomains> {
  const { filter = 'all', tld, dateAdded, niche, riskLevel, page = 1, pageSize = defaultPageSize } = search;
  const source = isAdmin ? search.source : undefined;
  return {
    search: search.search,
    filter,
    sort: sortInUse(search, isAdmin),
    tld,
    dateAdded,
    source,
    niche,
    riskLevel,
    page: page - 1,
    pageSize,
  };
}

/** The sort of the list. Only admins can sort by source. */
export function sortInUse({ sort, filter }: Pick<DomainsSearch, 'sort' | 'filter'>, isAdmin: boolean) {
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

function canonicalSort(sort: DomainSort): keyof typeof labels {
  return aliases[sort] ?? (sort as keyof typeof labels);
}

export function sortOf({ column, descending }: DomainOrder): DomainSort {
  return canonicalSort(`${column}-${descending ? 'desc' : 'asc'}`);
}
