import * as z from 'zod/mini';
import { Check, CheckQuery } from './checks.ts';
import { endpoint } from './endpoint.ts';

// The API documentation says what each field means: openapi-components.ts. Its words are not here, where each browser would load them.

/** Domains in one bulk check. */
export const bulkLimit = 500;

/** Calls in a minute: from one address without a valid key, and with one key. The second is more than a key's requests of a day. */
export const keyCallsPerMinute = { failed: 120, valid: 1200 } as const;

export const NoDomain = z.object({ domain: z.string(), error: z.string() });
export type NoDomain = z.infer<typeof NoDomain>;

export const BulkQuestion = z.object({
  domains: z
    .array(z.string())
    .check(
      z.minLength(1, 'Please send at least one domain'),
      z.maxLength(bulkLimit, `Please send at most ${bulkLimit} domains at once`),
    ),
});

export const BulkAnswer = z.object({
  results: z.array(z.union([Check, NoDomain])),
  listed: z.number(),
  total: z.number(),
});
export type BulkAnswer = z.infer<typeof BulkAnswer>;

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

export const checkWithKey = endpoint({
  method: 'GET',
  path: '/api/v1/check',
  access: 'key',
  summary: 'Check one domain',
  query: CheckQuery,
  responses: { 200: Check },
});

export const checkManyWithKey = endpoint({
  method: 'POST',
  path: '/api/v1/check/bulk',
  access: 'key',
  summary: `Check up to ${bulkLimit} domains`,
  body: BulkQuestion,
  responses: { 200: BulkAnswer },
});

export const readKeyUsage = endpoint({
  method: 'GET',
  path: '/api/v1/usage',
  access: 'key',
  summary: "Read today's usage of the key",
  responses: { 200: KeyUsage },
});

/** Answers with an OpenAPI 3.1 document of the calls above (`openapi.ts`), in which the address of this server stands. */
export const readOpenApi = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  access: 'public',
  summary: 'The public API as an OpenAPI document',
});
