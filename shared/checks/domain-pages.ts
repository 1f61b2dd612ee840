import * as z from 'zod/mini';
import { Confidence, RiskLevel } from '../blacklist/domains.ts';
import { Listing } from '../blacklist/sources.ts';
import { endpoint } from '../platform/endpoint.ts';

/** What the public page of a domain shows. Dates are ISO 8601. */
export const DomainVerdict = z.object({
  /** The normalized name. */
  domain: z.string(),
  listed: z.boolean(),
  /** This installation lists no domains yet, so that `listed` says nothing about the domain. */
  isBlacklistEmpty: z.boolean(),
  /** The listed name that covers the domain: itself or a parent. Null if it is not listed, like the facts below. */
  matchedDomain: z.nullable(z.string()),
  riskLevel: z.nullable(RiskLevel),
  confidence: z.nullable(Confidence),
  sourceCount: z.nullable(z.number()),
  /** Sources of one family count once. */
  independentSourceCount: z.nullable(z.number()),
  firstListedAt: z.nullable(z.string()),
  /** When a source last confirmed its listing. */
  lastSeen: z.nullable(z.string()),
  niche: z.nullable(z.string()),
  cost: z.nullable(z.string()),
  /** Active ones first. The withdrawn listings of a domain stay as its history. */
  listings: z.array(Listing),
  /** What the owner says about the listing. */
  ownerStatement: z.nullable(z.string()),
});
export type DomainVerdict = z.infer<typeof DomainVerdict>;

export const getDomainVerdict = endpoint({
  method: 'GET',
  path: '/api/domains/by-name/:name',
  access: 'public',
  summary: 'Get the public facts about a domain: whether it is listed, and the evidence',
  params: z.object({ name: z.string().check(z.maxLength(2048)) }),
  responses: { 200: DomainVerdict },
});
