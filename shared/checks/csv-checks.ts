import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import type { Check } from './checks.ts';
import { BulkCheckRequest, type CheckError } from './key-checks.ts';

// Not in key-checks.ts, because browsers load that file.

/** The columns of the results as CSV, for API keys and for a list on the site. */
export const checkColumns = [
  'domain',
  'listed',
  'matchedDomain',
  'riskLevel',
  'confidence',
  'sourceCount',
  'independentSourceCount',
  'niche',
  'dateAdded',
  'lastUpdated',
  'error',
] as const satisfies readonly (keyof (Check & CheckError))[];

/** Returns the cells of a result, in the order of the columns. */
export function toCheckCells(check: Check | CheckError) {
  const cells: Partial<Check & CheckError> = check;
  return checkColumns.map((column) => cells[column]);
}

export const checkDomainsAsCsv = endpoint({
  method: 'GET',
  path: '/api/v1/check.csv',
  access: 'key',
  scope: 'check',
  summary: 'Check many domains as CSV',
  query: z.object({
    /** Separated by commas. */
    domains: z.pipe(
      z.pipe(
        z.string(),
        z.transform((list) => list.split(',')),
      ),
      BulkCheckRequest.shape.domains,
    ),
  }),
});
