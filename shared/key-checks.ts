import * as z from 'zod/mini';
import { Check, CheckQuery } from './checks.ts';
import { endpoint } from './endpoint.ts';

/** Domains in one question. */
export const bulkLimit = 500;

/** Calls in a minute: of one address whose key is missing or wrong, and with one key, more than a day has requests. */
export const keyCallsPerMinute = { failed: 120, valid: 1200 } as const;

/** An entry that is no domain, as it was sent, and the sentence that says why. */
export const NoDomain = z.object({ domain: z.string(), error: z.string() });
export type NoDomain = z.infer<typeof NoDomain>;

export const BulkQuestion = z.object({
  /** Domains or pasted addresses. Each costs one request, also one that is no domain or stands there twice. */
  domains: z
    .array(z.string())
    .check(
      z.minLength(1, 'Please send at least one domain'),
      z.maxLength(bulkLimit, `Please send at most ${bulkLimit} domains at once`),
    ),
});

export const BulkAnswer = z.object({
  /** One for each entry, in the order of the question. */
  results: z.array(z.union([Check, NoDomain])),
  /** How many of them are listed. */
  listed: z.number(),
  /** How many were asked. */
  total: z.number(),
});
export type BulkAnswer = z.infer<typeof BulkAnswer>;

export const KeyUsage = z.object({
  /** The name its owner gave the key. */
  name: z.string(),
  dailyLimit: z.number(),
  /** Requests of this UTC day. */
  dailyUsage: z.number(),
  remaining: z.number(),
  /** When the next UTC day begins and the count with it. */
  resetAt: z.string(),
  /** Requests since the key was made. */
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
  summary: 'What the key has used of its day',
  responses: { 200: KeyUsage },
});

/** Answers with an OpenAPI 3.1 document of the calls above (`openapi.ts`), in which the address of this server stands. */
export const readOpenApi = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  access: 'public',
  summary: 'The public API as an OpenAPI document',
});
