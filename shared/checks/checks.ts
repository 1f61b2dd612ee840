import * as z from 'zod/mini';
import { Confidence, RiskLevel } from '../blacklist/domains.ts';
import { endpoint } from '../platform/endpoint.ts';
import { text } from '../platform/text.ts';

/** In characters, for a domain or a pasted URL. */
export const maxQueryLength = 2048;

/** The result for one domain. `openapi-components.ts` describes the fields. */
export const Check = z.object({
  domain: z.string(),
  listed: z.boolean(),
  matchedDomain: z.nullable(z.string()),
  riskLevel: z.nullable(RiskLevel),
  confidence: z.nullable(Confidence),
  sourceCount: z.nullable(z.number()),
  independentSourceCount: z.nullable(z.number()),
  niche: z.nullable(z.string()),
  dateAdded: z.nullable(z.string()),
  lastUpdated: z.nullable(z.string()),
  checkedAt: z.string(),
});
export type Check = z.infer<typeof Check>;

/** The result on a screen. It also explains why some domains can never be listed. */
export const DomainCheck = z.extend(Check, {
  /** The Unicode form of an internationalized domain. Null if it equals `domain`. */
  unicodeDomain: z.nullable(z.string()),
  /** False for public suffixes and the roots of shared hosts. Their subdomains have different owners. */
  canBeListed: z.boolean(),
  /** This installation lists no domains yet, so that `listed` says nothing about the domain. */
  isBlacklistEmpty: z.boolean(),
});
export type DomainCheck = z.infer<typeof DomainCheck>;

export const CheckQuery = z.object({
  domain: text({ min: 1, max: maxQueryLength, tooShort: 'Please enter a domain' }),
});

export const checkDomain = endpoint({
  method: 'GET',
  path: '/api/check',
  access: 'public',
  summary: 'Check whether a domain is listed, without an API key',
  query: CheckQuery,
  responses: { 200: DomainCheck },
});
