import * as z from 'zod/mini';
import { Confidence, RiskCounts, RiskLevel } from '../blacklist/domains.ts';
import { endpoint } from '../platform/endpoint.ts';
import { Pagination, pageNumber, pageSize } from '../platform/page.ts';

/** The page to check a list. */
export const checkListPath = '/check';

/** Different names in one list. */
export const maxListNames = 10_000;

/** The largest uploaded list, in bytes. */
export const maxListBytes = 10 * 1024 * 1024;

/** How long a list is stored, in days. */
export const listDays = { visitor: 1, user: 90 } as const;

/** Most stored lists of a user. A new one replaces the oldest. */
export const maxListsPerUser = 100;

/** How many groups of sources a response contains: those with the most checked domains. */
export const maxNetworks = 10;

/**
 * The amounts in a price. They are equal unless it is a range. `currency` is an ISO 4217 code, null if none is named.
 */
export const PriceRange = z.object({ min: z.number(), max: z.number(), currency: z.nullable(z.string()) });
export type PriceRange = z.infer<typeof PriceRange>;

/** A valid domain of the list. Everything from `matchedDomain` on describes its listing and is null if it has none. */
export const ListedDomain = z.object({
  domain: z.string(),
  /** The quoted price as it was given, with the currency of its column. */
  price: z.nullable(z.string()),
  /** The amounts in `price`; null if it contains none. */
  priceRange: z.nullable(PriceRange),
  listed: z.boolean(),
  /** The listed domain: `domain` or one of its parent domains. */
  matchedDomain: z.nullable(z.string()),
  /** The id of `matchedDomain`, for its listings. */
  domainId: z.nullable(z.number()),
  riskLevel: z.nullable(RiskLevel),
  confidence: z.nullable(Confidence),
  sourceCount: z.nullable(z.number()),
  independentSourceCount: z.nullable(z.number()),
  firstListedAt: z.nullable(z.string()),
  niche: z.nullable(z.string()),
  /** The different prices of links on `matchedDomain` that active listings contain, as given. */
  knownPrices: z.array(z.string()),
  /** The lowest and the highest amount of them in one currency: that of the quoted price, if any has it. */
  knownPriceRange: z.nullable(PriceRange),
  /** How the quoted price compares with `knownPriceRange`. Null if one is missing or the currencies differ. */
  priceComparison: z.nullable(z.enum(['below', 'within', 'above'])),
  /** Positions in `networks`. */
  networks: z.array(z.number()),
});
export type ListedDomain = z.infer<typeof ListedDomain>;

/** An entry that is not a domain, with the reason. */
export const InvalidEntry = z.object({
  domain: z.string(),
  price: z.nullable(z.string()),
  priceRange: z.nullable(PriceRange),
  error: z.string(),
});
export type InvalidEntry = z.infer<typeof InvalidEntry>;

export const ListResult = z.union([ListedDomain, InvalidEntry]);
export type ListResult = z.infer<typeof ListResult>;

/**
 * A source or family that lists several of the checked domains. The name of a family with a private source is null,
 * except for admins. Private sources without a family are left out.
 */
export const Network = z.object({
  kind: z.enum(['source', 'family']),
  name: z.nullable(z.string()),
  /** How many of the checked domains it lists. */
  domains: z.number(),
});
export type Network = z.infer<typeof Network>;

/** What the screen and the CSV file call a family without a name. */
export const unnamedFamily = 'A family whose name is not public';

/** Quoted prices in one currency. A range counts with its lower amount. */
export const AskedTotal = z.object({
  currency: z.nullable(z.string()),
  /** Of all valid domains. */
  total: z.number(),
  /** Of the listed ones. */
  listed: z.number(),
  /** How many domains have a price in this currency. */
  domains: z.number(),
});
export type AskedTotal = z.infer<typeof AskedTotal>;

export const ListSummary = z.object({
  /** Different entries, valid or not. */
  total: z.number(),
  listed: z.number(),
  notListed: z.number(),
  invalid: z.number(),
  /** Repeated entries, which count once. */
  duplicates: z.number(),
  /** The listed domains by risk level. */
  riskLevels: RiskCounts,
  /** By currency, the one with the most domains first. */
  asked: z.array(AskedTotal),
  /** This installation lists no domains yet, so that the results say nothing. */
  isBlacklistEmpty: z.boolean(),
});
export type ListSummary = z.infer<typeof ListSummary>;

/** A stored list and how it compares with the blacklist now. Dates are ISO 8601. */
export const DomainList = z.object({
  id: z.string(),
  createdAt: z.string(),
  /** When the list is deleted. */
  expiresAt: z.string(),
  /** Whether only the user who made it can open it. Otherwise, anyone with its id can. */
  isPrivate: z.boolean(),
  summary: ListSummary,
  networks: z.array(Network),
  /** One for each different entry, in the order of the list. */
  results: z.array(ListResult),
});
export type DomainList = z.infer<typeof DomainList>;

const listParams = z.object({ id: z.uuid() });

export const emptyListMessage = 'Please enter at least one domain';

/** Takes `text`, or a form with a `file`: CSV, text, Excel, OpenDocument, or one of them in a zip or gzip archive. */
export const createDomainList = endpoint({
  method: 'POST',
  path: '/api/domain-lists',
  access: 'public',
  longBody: true,
  summary: 'Check up to 10,000 domains, with or without quoted prices (JSON: text, or multipart: file)',
  body: z.nullish(z.object({ text: z.string().check(z.trim(), z.minLength(1, emptyListMessage)) })),
  upload: 'file',
  responses: { 201: DomainList },
});

/** A stored list of a user. Dates are ISO 8601. */
export const OwnDomainList = z.object({
  id: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  entries: z.number(),
  /** How many of the entries were listed when the list was checked. Null if that is unknown. */
  listed: z.nullable(z.number()),
});
export type OwnDomainList = z.infer<typeof OwnDomainList>;

export const listDomainLists = endpoint({
  method: 'GET',
  path: '/api/domain-lists',
  access: 'user',
  summary: 'List the lists of domains that I checked, newest first',
  query: z.object({ page: pageNumber, pageSize: pageSize(10) }),
  responses: { 200: z.object({ lists: z.array(OwnDomainList), pagination: Pagination }) },
});

export const deleteDomainList = endpoint({
  method: 'DELETE',
  path: '/api/domain-lists/:id',
  access: 'user',
  summary: 'Delete one of my checked lists',
  params: listParams,
});

export const getDomainList = endpoint({
  method: 'GET',
  path: '/api/domain-lists/:id',
  access: 'public',
  summary: 'Check a stored list again',
  params: listParams,
  responses: { 200: DomainList },
});

export const exportDomainList = endpoint({
  method: 'GET',
  path: '/api/domain-lists/:id/csv',
  access: 'public',
  summary: 'Check a stored list again and export the results as CSV',
  params: listParams,
});
