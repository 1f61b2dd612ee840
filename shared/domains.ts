import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { idParams, Pagination, pageNumber, pageSize } from './page.ts';
import { optionalText, text } from './text.ts';

export const riskLevels = ['low', 'medium', 'high', 'very high'] as const;
export const RiskLevel = z.enum(riskLevels);
export type RiskLevel = z.infer<typeof RiskLevel>;

/**
 * How well a listing is proven. Reported: one source. Probable: at least two independent sources, or a seller's own offer
 * or a verified submission. Confirmed: such an offer or submission with a price or an evidence URL.
 */
export const confidences = ['reported', 'probable', 'confirmed'] as const;
export const Confidence = z.enum(confidences);
export type Confidence = z.infer<typeof Confidence>;

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

/** The column and direction of a sort. Unknown ratings and costs come last in both directions. */
export interface DomainOrder {
  column: SortColumn;
  descending: boolean;
}

/** Converts a sort parameter. `date-added`, `risk-level` and `source` are aliases without a direction. */
export function toDomainOrder(sort: DomainSort): DomainOrder {
  if (sort === 'date-added') return { column: 'date', descending: true };
  if (sort === 'risk-level') return { column: 'risk', descending: true };
  if (sort === 'source') return { column: 'source', descending: false };
  const [column, direction] = sort.split('-') as [SortColumn, string];
  return { column, descending: direction === 'desc' };
}

/** In characters. */
export const maxSourceLength = 100;
/** Per domain. */
export const maxSources = 100;

export const deleteAllCode = 'DELETE ALL DOMAINS';

/** Only admins receive `source`, `sourceDetails`, `notes` and `addedBy`. */
export const Domain = z.object({
  id: z.number(),
  domain: z.string(),
  description: z.nullable(z.string()),
  riskLevel: RiskLevel,
  sourceCount: z.number(),
  /** Sources of one family count once. */
  independentSourceCount: z.number(),
  confidence: Confidence,
  niche: z.nullable(z.string()),
  domainRating: z.nullable(z.number()),
  outboundLinks: z.nullable(z.number()),
  cost: z.nullable(z.string()),
  dateAdded: z.string(),
  /** When a source first listed the domain. Earlier than `dateAdded` if it was delisted in between. */
  firstListedAt: z.string(),
  lastUpdated: z.string(),
  source: z.optional(z.string()),
  sourceDetails: z.optional(z.nullable(z.string())),
  notes: z.optional(z.nullable(z.string())),
  addedBy: z.optional(z.nullable(z.string())),
});
export type Domain = z.infer<typeof Domain>;

const filterText = z.optional(z.string().check(z.trim(), z.maxLength(253)));

/** Which domains a list contains. The URL of the screen, the request and the SQL query use the same field names. */
export const DomainFilter = z.object({
  /** Part of a domain name, or a pasted URL. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(2048))),
  filter: z._default(z.enum(['all', 'recent']), 'all'),
  tld: filterText,
  /** A day in UTC, inclusive. */
  dateAdded: z.optional(z.iso.date()),
  source: filterText,
  niche: filterText,
  riskLevel: z.optional(RiskLevel),
  confidence: z.optional(Confidence),
});
export type DomainFilter = z.input<typeof DomainFilter>;

const filterKeys = Object.keys(DomainFilter.shape) as (keyof DomainFilter)[];

/** Whether any filter is set. */
export function isFiltered(filter: DomainFilter): boolean {
  return filter.filter === 'recent' || filterKeys.some((key) => key !== 'filter' && filter[key] !== undefined);
}

/** The sort when the query has none: newest first for recently added domains, otherwise by name. */
export function defaultSort({ filter }: DomainFilter) {
  return filter === 'recent' ? 'date-added' : 'domain-asc';
}

/** A filter and a sort. */
export const DomainQuery = z.extend(DomainFilter, {
  sort: z.optional(z.enum(domainSorts)),
  /** Sent by older clients and never trusted: the session alone identifies the caller. */
  userId: z.optional(z.string()),
  userIsAdmin: z.optional(z.string()),
});
export type DomainQuery = z.input<typeof DomainQuery>;

const optionalInteger = (max: number, notWhole: string, tooLow: string, tooHigh: string) =>
  z.optional(z.nullable(z.number().check(z.int(notWhole), z.gte(0, tooLow), z.lte(max, tooHigh))));

const ratingRange = 'Domain rating must be between 0 and 100';

/** The request body for adding or editing a domain. */
export const DomainInput = z.object({
  domain: text(1, 'Please enter a domain', 2048),
  /** One or more sources, separated by commas. */
  source: text(
    1,
    'Please enter a source',
    maxSources * (maxSourceLength + 2),
    `A domain can have up to ${maxSources} sources`,
  ),
  description: optionalText(5000),
  riskLevel: z.optional(z.nullable(RiskLevel)),
  sourceDetails: optionalText(5000),
  notes: optionalText(5000),
  niche: optionalText(100),
  cost: optionalText(100),
  domainRating: optionalInteger(100, 'Domain rating must be a whole number', ratingRange, ratingRange),
  outboundLinks: optionalInteger(
    2_147_483_647,
    'Outbound links must be a whole number',
    'Outbound links must be 0 or more',
    'This number of outbound links is too large',
  ),
  addedBy: z.optional(z.nullable(z.string())),
  /** Lists a site that is protected, such as a well-known one. Without it, the response is 409 `needs_confirmation`. */
  confirmed: z.optional(z.boolean()),
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
  summary: 'Get a domain',
  params: idParams,
  responses: { 200: Domain },
});

export const exportDomains = endpoint({
  method: 'GET',
  path: '/api/domains/export/csv',
  access: 'user',
  summary: 'Export all domains that match a filter as CSV',
  auditEvent: 'Exported domains',
  auditAdminsOnly: true,
  query: DomainQuery,
});

export const listTlds = endpoint({
  method: 'GET',
  path: '/api/domains/tlds',
  access: 'user',
  summary: 'List the TLDs in the blacklist',
  responses: { 200: Names },
});

export const listNiches = endpoint({
  method: 'GET',
  path: '/api/domains/niches',
  access: 'user',
  summary: 'List the niches in the blacklist',
  responses: { 200: Names },
});

export const listSources = endpoint({
  method: 'GET',
  path: '/api/domains/sources',
  access: 'admin',
  summary: 'List the sources in the blacklist',
  responses: { 200: Names },
});

export const createDomain = endpoint({
  method: 'POST',
  path: '/api/domains',
  access: 'admin',
  summary: 'Add a domain',
  auditEvent: 'Added a domain',
  body: DomainInput,
  responses: { 201: Domain },
});

export const updateDomain = endpoint({
  method: 'PUT',
  path: '/api/domains/:id',
  access: 'admin',
  summary: 'Edit a domain',
  auditEvent: 'Changed a domain',
  params: idParams,
  body: DomainInput,
  responses: { 200: Domain },
});

export const deleteDomain = endpoint({
  method: 'DELETE',
  path: '/api/domains/:id',
  access: 'admin',
  summary: 'Delete a domain',
  auditEvent: 'Deleted a domain',
  params: idParams,
});

export const bulkDeleteDomains = endpoint({
  method: 'POST',
  path: '/api/domains/bulk-delete',
  access: 'admin',
  summary: 'Delete the domains with these ids',
  auditEvent: 'Deleted selected domains',
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
  summary: 'Delete every domain on the blacklist',
  auditEvent: 'Deleted all domains',
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
  auditEvent: 'Updated risk levels',
  responses: { 200: z.object({ timeTaken: z.number(), stats: RiskCounts }) },
});

/** The 'Report incorrect information' form. */
export const DomainReport = z.object({
  message: text(10, 'Message must be at least 10 characters', 5000, 'Message must be at most 5000 characters'),
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
  summary: 'Count the domains on the blacklist, by risk level',
  responses: { 200: z.extend(RiskCounts, { total: z.number(), lastUpdated: z.nullable(z.string()) }) },
});
