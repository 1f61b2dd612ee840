import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { idParams, Pagination, pageNumber, pageSize } from './page.ts';
import { optionalText, text } from './text.ts';

export const riskLevels = ['low', 'medium', 'high', 'very high'] as const;
export const RiskLevel = z.enum(riskLevels);
export type RiskLevel = z.infer<typeof RiskLevel>;

export const domainSorts = [
  'domain-asc',
  'domain-desc',
  'date-added',
  'date-asc',
  'date-desc',
  'lastUpdated-asc',
  'lastUpdated-desc',
  'risk-level',
  'risk-asc',
  'risk-desc',
  'dr-asc',
  'dr-desc',
  'cost-asc',
  'cost-desc',
  'source',
  'source-asc',
  'source-desc',
] as const;
export type DomainSort = (typeof domainSorts)[number];

export type SortColumn = 'domain' | 'date' | 'lastUpdated' | 'risk' | 'dr' | 'cost' | 'source';

/** What a list is sorted by. Unknown ratings and costs come last in both directions. */
export interface DomainOrder {
  column: SortColumn;
  descending: boolean;
}

export function toDomainOrder(sort: DomainSort): DomainOrder {
  if (sort === 'date-added') return { column: 'date', descending: true };
  if (sort === 'risk-level') return { column: 'risk', descending: true };
  if (sort === 'source') return { column: 'source', descending: false };
  const [column, direction] = sort.split('-') as [SortColumn, string];
  return { column, descending: direction === 'desc' };
}

/** Characters of one source, and sources of one domain. */
export const maxSourceLength = 100;
export const maxSources = 100;

export const deleteAllCode = 'DELETE ALL DOMAINS';

/** Column rights: `source`, `sourceDetails`, `notes` and `addedBy` are sent to admins only. */
export const Domain = z.object({
  id: z.number(),
  domain: z.string(),
  description: z.nullable(z.string()),
  riskLevel: RiskLevel,
  sourceCount: z.number(),
  niche: z.nullable(z.string()),
  domainRating: z.nullable(z.number()),
  outboundLinks: z.nullable(z.number()),
  cost: z.nullable(z.string()),
  dateAdded: z.string(),
  lastUpdated: z.string(),
  source: z.optional(z.string()),
  sourceDetails: z.optional(z.nullable(z.string())),
  notes: z.optional(z.nullable(z.string())),
  addedBy: z.optional(z.nullable(z.string())),
});
export type Domain = z.infer<typeof Domain>;

const filterText = z.optional(z.string().check(z.trim(), z.maxLength(253)));

/** Which domains a list contains: the same fields in the address of the screen, in the request and on the way to the SQL. */
export const DomainFilter = z.object({
  /** Part of a name, or a pasted address. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(2048))),
  filter: z._default(z.enum(['all', 'recent']), 'all'),
  tld: filterText,
  /** A day in UTC, inclusive. */
  dateAdded: z.optional(z.iso.date()),
  source: filterText,
  niche: filterText,
  riskLevel: z.optional(RiskLevel),
});
export type DomainFilter = z.input<typeof DomainFilter>;

const filterNames = Object.keys(DomainFilter.shape) as (keyof DomainFilter)[];

/** Whether the filter leaves out any domains. */
export function isFiltered(filter: DomainFilter): boolean {
  return filter.filter === 'recent' || filterNames.some((name) => name !== 'filter' && filter[name] !== undefined);
}

/** The sort where none is asked for: by name, or newest first among the recently added. */
export function defaultSort({ filter }: DomainFilter) {
  return filter === 'recent' ? 'date-added' : 'domain-asc';
}

/** A filter with the order of its matches. */
export const DomainQuery = z.extend(DomainFilter, {
  sort: z.optional(z.enum(domainSorts)),
  /** Older clients send these two. The session alone says who the caller is. */
  userId: z.optional(z.string()),
  userIsAdmin: z.optional(z.string()),
});
export type DomainQuery = z.input<typeof DomainQuery>;

const optionalNumber = (max: number, notWhole: string, tooLow: string, tooHigh: string) =>
  z.optional(z.nullable(z.number().check(z.int(notWhole), z.gte(0, tooLow), z.lte(max, tooHigh))));

const ratingRange = 'The domain rating is a number from 0 to 100';

/** What an admin sends to add or change a domain. */
export const DomainInput = z.object({
  domain: text(1, 'Please enter a domain', 2048),
  /** Separated by commas. */
  source: text(
    1,
    'Please enter a source',
    maxSources * (maxSourceLength + 2),
    `There are more than ${maxSources} sources`,
  ),
  description: optionalText(5000),
  riskLevel: z.optional(z.nullable(RiskLevel)),
  sourceDetails: optionalText(5000),
  notes: optionalText(5000),
  niche: optionalText(100),
  cost: optionalText(100),
  domainRating: optionalNumber(100, 'The domain rating is a whole number', ratingRange, ratingRange),
  outboundLinks: optionalNumber(
    2_147_483_647,
    'The number of outbound links is a whole number',
    'The number of outbound links is at least 0',
    'The number of outbound links is too large',
  ),
  addedBy: z.optional(z.nullable(z.string())),
  userIsAdmin: z.optional(z.boolean()),
});
export type DomainInput = z.infer<typeof DomainInput>;

export const RiskCounts = z.object({
  veryHigh: z.number(),
  high: z.number(),
  medium: z.number(),
  low: z.number(),
});
export type RiskCounts = z.infer<typeof RiskCounts>;

const Names = z.array(z.string());

export const listDomains = endpoint({
  method: 'GET',
  path: '/api/domains',
  access: 'user',
  summary: 'Search, filter, sort and page through the blacklist',
  query: z.extend(DomainQuery, { page: pageNumber, pageSize: pageSize(25) }),
  responses: { 200: z.object({ domains: z.array(Domain), pagination: Pagination }) },
});

export const getDomain = endpoint({
  method: 'GET',
  path: '/api/domains/:id',
  access: 'user',
  summary: 'One domain',
  params: idParams,
  responses: { 200: Domain },
});

export const exportDomains = endpoint({
  method: 'GET',
  path: '/api/domains/export/csv',
  access: 'user',
  summary: 'All matches of a query as CSV',
  act: 'Exported domains',
  query: DomainQuery,
});

export const listTlds = endpoint({
  method: 'GET',
  path: '/api/domains/tlds',
  access: 'user',
  summary: 'Top-level parts in the blacklist',
  responses: { 200: Names },
});

export const listNiches = endpoint({
  method: 'GET',
  path: '/api/domains/niches',
  access: 'user',
  summary: 'Niches in the blacklist',
  responses: { 200: Names },
});

export const listSources = endpoint({
  method: 'GET',
  path: '/api/domains/sources',
  access: 'admin',
  summary: 'Sources in the blacklist',
  responses: { 200: Names },
});

export const addDomain = endpoint({
  method: 'POST',
  path: '/api/domains',
  access: 'admin',
  summary: 'Add a domain',
  act: 'Added a domain',
  body: DomainInput,
  responses: { 201: Domain },
});

export const editDomain = endpoint({
  method: 'PUT',
  path: '/api/domains/:id',
  access: 'admin',
  summary: 'Change a domain',
  act: 'Changed a domain',
  params: idParams,
  body: DomainInput,
  responses: { 200: Domain },
});

export const deleteDomain = endpoint({
  method: 'DELETE',
  path: '/api/domains/:id',
  access: 'admin',
  summary: 'Delete a domain',
  act: 'Deleted a domain',
  params: idParams,
});

export const bulkDeleteDomains = endpoint({
  method: 'POST',
  path: '/api/domains/bulk-delete',
  access: 'admin',
  summary: 'Delete the named domains',
  act: 'Deleted selected domains',
  body: z.object({
    ids: z.array(z.number().check(z.int(), z.gte(1))).check(z.minLength(1), z.maxLength(10_000)),
    userIsAdmin: z.optional(z.boolean()),
  }),
  responses: { 200: z.object({ count: z.number() }) },
});

export const deleteAllDomains = endpoint({
  method: 'POST',
  path: '/api/admin/delete-all-domains',
  access: 'admin',
  summary: 'Empty the blacklist',
  act: 'Deleted all domains',
  body: z.object({
    confirmationCode: z.literal(deleteAllCode, `Please type exactly '${deleteAllCode}'`),
    userIsAdmin: z.optional(z.boolean()),
  }),
  responses: { 200: z.object({ count: z.number() }) },
});

export const updateRiskLevels = endpoint({
  method: 'POST',
  path: '/api/risk/update-risk-levels',
  access: 'admin',
  summary: 'Recompute every risk level from the number of sources',
  act: 'Updated risk levels',
  responses: { 200: z.object({ timeTaken: z.number(), stats: RiskCounts }) },
});

/** The text of 'Report incorrect information'. */
export const DomainReport = z.object({
  message: text(10, 'Message must be at least 10 characters', 5000, 'Message must be less than 5000 characters'),
});

export const reportDomain = endpoint({
  method: 'POST',
  path: '/api/domains/:id/reports',
  access: 'user',
  summary: 'Report incorrect information about a domain to the admins',
  params: idParams,
  body: DomainReport,
  responses: { 201: z.object({ id: z.number() }) },
});

export const getBlacklistStats = endpoint({
  method: 'GET',
  path: '/api/stats/count',
  access: 'public',
  summary: 'Number of domains by risk level',
  responses: { 200: z.extend(RiskCounts, { total: z.number(), lastUpdated: z.nullable(z.string()) }) },
});
