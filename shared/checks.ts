import * as z from 'zod/mini';
import { RiskLevel } from './domains.ts';
import { endpoint } from './endpoint.ts';
import { text } from './text.ts';

/** Characters of a domain or pasted address. */
export const maxQueryLength = 2048;

/** The result for one domain. `openapi-components.ts` says what each field means. */
export const Check = z.object({
  domain: z.string(),
  listed: z.boolean(),
  matchedDomain: z.nullable(z.string()),
  riskLevel: z.nullable(RiskLevel),
  sourceCount: z.nullable(z.number()),
  niche: z.nullable(z.string()),
  dateAdded: z.nullable(z.string()),
  lastUpdated: z.nullable(z.string()),
  checkedAt: z.string(),
});
export type Check = z.infer<typeof Check>;

/** The answer to a person, who may have asked about something that no list would name. */
export const DomainCheck = z.extend(Check, {
  /** As people read it, where that differs from the ASCII form in `domain`. */
  unicodeDomain: z.nullable(z.string()),
  /** False for public suffixes and for the roots of shared hosts: they belong to many, and are never listed as a whole. */
  canBeListed: z.boolean(),
});
export type DomainCheck = z.infer<typeof DomainCheck>;

export const CheckQuery = z.object({
  domain: text(1, 'Please enter a domain', maxQueryLength),
});

export const checkDomain = endpoint({
  method: 'GET',
  path: '/api/check',
  access: 'public',
  summary: 'Whether one domain is listed, for people without an API key',
  query: CheckQuery,
  responses: { 200: DomainCheck },
});
