import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { Check, CheckQuery } from './checks.ts';

// openapi-components.ts describes each field. The descriptions are not here, because every browser would have to load
// them.

/** Entries in one bulk check. */
export const maxBulkDomains = 500;

/**
 * Calls under `/api/v1` per minute, with one key and from one network without a valid key. The first is above a key's
 * daily limit: it stops floods of calls that cost nothing.
 */
export const maxKeyCallsPerMinute = { withKey: 1200, withoutKey: 120 } as const;

export const CheckError = z.object({ domain: z.string(), error: z.string() });
export type CheckError = z.infer<typeof CheckError>;

export const BulkCheckRequest = z.object({
  domains: z
    .array(z.string())
    .check(
      z.minLength(1, 'Send at least one domain.'),
      z.maxLength(maxBulkDomains, `Send at most ${maxBulkDomains} domains per call.`),
    ),
});

export const BulkCheckResponse = z.object({
  results: z.array(z.union([Check, CheckError])),
  listed: z.number(),
  total: z.number(),
});
export type BulkCheckResponse = z.infer<typeof BulkCheckResponse>;

export const KeyUsage = z.object({
  name: z.string(),
  dailyLimit: z.number(),
  dailyUsage: z.number(),
  remaining: z.number(),
  resetAt: z.string(),
  usageCount: z.number(),
  lastUsed: z.nullable(z.string()),
});
export type KeyUsage = z.infer<typeof KeyUsage>;

export const checkDomainWithKey = endpoint({
  method: 'GET',
  path: '/api/v1/check',
  access: 'key',
  scope: 'check',
  summary: 'Check a domain',
  query: CheckQuery,
  responses: { 200: Check },
});

export const checkDomainsWithKey = endpoint({
  method: 'POST',
  path: '/api/v1/check/bulk',
  access: 'key',
  scope: 'check',
  longBody: true,
  summary: 'Check many domains',
  changes: false,
  body: BulkCheckRequest,
  responses: { 200: BulkCheckResponse },
});

export const getKeyUsage = endpoint({
  method: 'GET',
  path: '/api/v1/usage',
  access: 'key',
  scope: 'check',
  summary: 'Get usage',
  responses: { 200: KeyUsage },
});

/** Returns the OpenAPI 3.1 document of the calls above, with the address of this server (`openapi.ts`). */
export const getOpenApiDocument = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  access: 'public',
  summary: 'The public API as an OpenAPI document',
});
