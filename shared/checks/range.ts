import * as z from 'zod/mini';
import { Confidence, RiskLevel } from '../blacklist/domains.ts';
import { endpoint } from '../platform/endpoint.ts';

/** Hexadecimal digits of a prefix. */
export const prefixDigits = { min: 4, max: 8 } as const;

/** Every response contains at least this many hashes. */
export const minRangeHashes = 50;

const prefixMessage = `Send the first ${prefixDigits.min} to ${prefixDigits.max} hexadecimal digits of the SHA-256 hash of a domain name.`;

/** A name that is listed, or that only fills up the response. */
export const RangeHash = z.object({
  /** SHA-256 of the normalized name, 64 hexadecimal digits. */
  hash: z.string(),
  /** Null for a name with an allow rule: it is not listed, and listings of its parent domains do not apply to it. */
  riskLevel: z.nullable(RiskLevel),
  confidence: z.nullable(Confidence),
  sourceCount: z.nullable(z.number()),
  dateAdded: z.nullable(z.string()),
});
export type RangeHash = z.infer<typeof RangeHash>;

export const Range = z.object({
  prefix: z.string(),
  hashes: z.array(RangeHash),
  /** Changes with the blacklist. */
  version: z.string(),
});
export type Range = z.infer<typeof Range>;

export const RangeInfo = z.object({
  /** The number of digits that a client should send. */
  prefixLength: z.int().check(z.gte(prefixDigits.min), z.lte(prefixDigits.max)),
  version: z.string(),
  /** The number of listed domains. */
  domains: z.number(),
});
export type RangeInfo = z.infer<typeof RangeInfo>;

export const getRangeInfo = endpoint({
  method: 'GET',
  path: '/api/v1/range',
  access: 'public',
  summary: 'Get the prefix length for private checks',
  responses: { 200: RangeInfo },
});

export const getRange = endpoint({
  method: 'GET',
  path: '/api/v1/range/:prefix',
  access: 'public',
  summary: 'Get the listed hashes that start with a prefix',
  params: z.object({
    prefix: z
      .string()
      .check(
        z.toLowerCase(),
        z.regex(new RegExp(`^[0-9a-f]{${prefixDigits.min},${prefixDigits.max}}$`), prefixMessage),
      ),
  }),
  responses: { 200: Range },
});
