import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { idParams, Pagination, pageNumber, pageSize } from '../platform/page.ts';
import { text } from '../platform/text.ts';
import type { RiskLevel } from './domains.ts';

/** A listing that an admin decides about, such as that of a well-known site. `reason` is a sentence. */
export const HeldListing = z.object({
  id: z.number(),
  domain: z.string(),
  source: z.string(),
  reason: z.string(),
  heldAt: z.string(),
});
export type HeldListing = z.infer<typeof HeldListing>;

/** The fields to list a held domain with. Absent and null fields are unknown. */
export interface HeldCells {
  price?: string | null;
  evidenceUrl?: string | null;
  note?: string | null;
  cost?: string | null;
  description?: string | null;
  sourceDetails?: string | null;
  notes?: string | null;
  niche?: string | null;
  domainRating?: number | null;
  outboundLinks?: number | null;
  riskLevel?: RiskLevel;
}

/** List the domain, or keep it off the blacklist. */
export const HeldDecision = z.enum(['list', 'reject']);
export type HeldDecision = z.infer<typeof HeldDecision>;

/** Most listings of one bulk decision. */
const maxHeldDecisions = 1000;

const search = z.optional(z.string().check(z.trim(), z.maxLength(253)));

const pageQuery = { search, page: pageNumber, pageSize: pageSize(25) };

export const listHeld = endpoint({
  method: 'GET',
  path: '/api/admin/held',
  access: 'admin',
  summary: 'List the listings that wait for a decision, newest first',
  /** `search` is part of a domain or of a source. */
  query: z.object(pageQuery),
  responses: { 200: z.object({ held: z.array(HeldListing), pagination: Pagination }) },
});

export const decideHeld = endpoint({
  method: 'POST',
  path: '/api/admin/held/:id',
  access: 'admin',
  summary: 'List a held domain or reject it',
  auditEvent: 'Decided on a held listing',
  params: idParams,
  body: z.object({ decision: HeldDecision }),
});

export const decideManyHeld = endpoint({
  method: 'POST',
  path: '/api/admin/held/decisions',
  access: 'admin',
  summary: 'List or reject several held domains. Skips those that are already decided',
  auditEvent: 'Decided on held listings',
  body: z.object({
    ids: z.array(z.number().check(z.int(), z.gte(1))).check(z.minLength(1), z.maxLength(maxHeldDecisions)),
    decision: HeldDecision,
  }),
  responses: { 200: z.object({ count: z.number() }) },
});

/** Keeps imports and submissions from listing a domain and its subdomains. */
export const AllowRule = z.object({
  id: z.number(),
  domain: z.string(),
  reason: z.string(),
  /** The admin's username; null if the account was deleted. */
  createdBy: z.nullable(z.string()),
  dateCreated: z.string(),
});
export type AllowRule = z.infer<typeof AllowRule>;

export const AllowRuleInput = z.object({
  domain: text({ min: 1, max: 2048, tooShort: 'Please enter a domain' }),
  reason: text({
    min: 1,
    max: 500,
    tooShort: 'Please enter a reason',
    tooLong: 'The reason must be at most 500 characters',
  }),
});
export type AllowRuleInput = z.infer<typeof AllowRuleInput>;

export const listAllowRules = endpoint({
  method: 'GET',
  path: '/api/admin/allow-rules',
  access: 'admin',
  summary: 'List the allow rules, newest first',
  /** `search` is part of a domain or of a reason. */
  query: z.object(pageQuery),
  responses: { 200: z.object({ rules: z.array(AllowRule), pagination: Pagination }) },
});

export const createAllowRule = endpoint({
  method: 'POST',
  path: '/api/admin/allow-rules',
  access: 'admin',
  summary: 'Protect a domain and its subdomains. Their current listings are removed and held for review',
  auditEvent: 'Added an allow rule',
  body: AllowRuleInput,
  responses: {
    /** `heldCount`: listings that were removed from the blacklist and are held for review. */
    201: z.extend(AllowRule, { heldCount: z.number() }),
  },
});

export const deleteAllowRule = endpoint({
  method: 'DELETE',
  path: '/api/admin/allow-rules/:id',
  access: 'admin',
  summary: 'Delete an allow rule. Held listings stay in the queue',
  auditEvent: 'Deleted an allow rule',
  params: idParams,
});
