import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { idParams, Pagination, pageNumber, pageSize } from '../platform/page.ts';

export const riskLevels = ['low', 'medium', 'high', 'very high'] as const;
export const RiskLevel = z.enum(riskLevels);
export type RiskLevel = z.infer<typeof RiskLevel>;

/** Returns the word for a stored level, 1 to 4. */
export const toRiskLevel = (level: number): RiskLevel => riskLevels[level - 1] ?? 'low';

/** Returns the stored number of a level, 1 to 4. */
export const toRiskNumber = (level: RiskLevel): number => riskLevels.indexOf(level) + 1;

/**
 * How well a listing is proven. Reported: one source. Probable: at least two independent sources, or a seller's own
 * offer or a verified submission. Confirmed: such an offer or submission with a price or an evidence URL.
 */
export const confidences = ['reported', 'probable', 'confirmed'] as const;
export const Confidence = z.enum(confidences);
export type Confidence = z.infer<typeof Confidence>;

/** Returns the word for a stored confidence, 1 to 3. */
export const toConfidence = (confidence: number): Confidence => confidences[confidence - 1] ?? 'reported';

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

export const RiskCounts = z.object({
  veryHigh: z.number(),
  high: z.number(),
  medium: z.number(),
  low: z.number(),
});
export type RiskCounts = z.infer<typeof RiskCounts>;

const toCountName = (level: RiskLevel) => (level === 'very high' ? 'veryHigh' : level);

/** Returns the count of a level. */
export const countOfRisk = (counts: RiskCounts, level: RiskLevel): number => counts[toCountName(level)];

/** Builds the counts from those of the levels. A level without one counts 0. */
export function toRiskCounts(getCount: (level: RiskLevel) => number | undefined): RiskCounts {
  const counts = riskLevels.map((level) => [toCountName(level), getCount(level) ?? 0] as const);
  return Object.fromEntries(counts) as RiskCounts;
}

/** Returns the sum of the counts of these levels, or of all. */
export const sumRiskCounts = (counts: RiskCounts, levels: readonly RiskLevel[] = riskLevels): number =>
  levels.reduce((sum, level) => sum + countOfRisk(counts, level), 0);

const Names = z.array(z.string());

export const listDomains = endpoint({
  method: 'GET',
  path: '/api/domains',
  access: 'user',
  summary: 'Search, filter, sort and page through the blacklist',
  query: z.extend(DomainQuery, { page: pageNumber, pageSize: pageSize(25) }),
  responses: { 200: z.object({ domains: z.array(Domain), pagination: Pagination }) },
});

export const countDomains = endpoint({
  method: 'GET',
  path: '/api/domains/counts',
  access: 'user',
  summary: 'Count the domains that match a filter, by risk level',
  query: DomainFilter,
  responses: { 200: RiskCounts },
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

export const getBlacklistStats = endpoint({
  method: 'GET',
  path: '/api/stats/count',
  access: 'public',
  summary: 'Count the domains on the blacklist, by risk level',
  responses: { 200: z.extend(RiskCounts, { total: z.number(), lastUpdated: z.nullable(z.string()) }) },
});
