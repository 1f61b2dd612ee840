import * as z from 'zod/mini';
import { Domain, DomainFilter, DomainQuery, RiskCounts } from '../blacklist/domains.ts';
import { endpoint } from '../platform/endpoint.ts';
import { Pagination, pageNumber, pageSize } from '../platform/page.ts';
import { CheckError, maxBulkDomains } from './key-checks.ts';

const names = z
  .array(z.string())
  .check(
    z.minLength(1, 'Paste at least one domain.'),
    z.maxLength(maxBulkDomains, `Check up to ${maxBulkDomains} names at a time.`),
  );

/** How a list of names compares with the blacklist. */
export const ListCheck = z.object({
  /** A page of the domains that list the names, limited by the filter of the request. */
  domains: z.array(Domain),
  pagination: Pagination,
  /** The number of these domains by risk level, whatever level the filter has. */
  counts: RiskCounts,
  /** The number of different valid names. */
  total: z.number(),
  /** How many of them are listed, themselves or through a parent domain. */
  listed: z.number(),
  unlisted: z.array(z.string()),
  /** The names that are listed only through a parent domain. */
  throughParent: z.array(z.object({ domain: z.string(), matchedDomain: z.string() })),
  invalid: z.array(CheckError),
});
export type ListCheck = z.infer<typeof ListCheck>;

export const checkList = endpoint({
  method: 'POST',
  path: '/api/domains/lookup',
  access: 'user',
  longBody: true,
  summary: 'Check a list of names, and filter, sort and page through those that are listed',
  changes: false,
  body: z.extend(DomainFilter, { sort: DomainQuery.shape.sort, names, page: pageNumber, pageSize: pageSize(25) }),
  responses: { 200: ListCheck },
});

export const exportListCheck = endpoint({
  method: 'POST',
  path: '/api/domains/lookup/csv',
  access: 'user',
  longBody: true,
  summary: 'Check a list of names and export the results as CSV',
  changes: false,
  body: z.object({ names }),
});
