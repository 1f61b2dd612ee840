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

/** A host that an admin added to those whose subdomains are websites of different owners. */
export const SharedHost = z.object({
  id: z.number(),
  host: z.string(),
  reason: z.string(),
  /** The admin's username; null if the account was deleted. */
  createdBy: z.nullable(z.string()),
  dateCreated: z.string(),
});
export type SharedHost = z.infer<typeof SharedHost>;

/** A domain of which an upload has many subdomains. */
export const SharedHostSuggestion = z.pick(SharedHost, { host: true, reason: true, dateCreated: true });
export type SharedHostSuggestion = z.infer<typeof SharedHostSuggestion>;

/** What adding a shared host changes. */
export const SharedHostPreview = z.object({
  host: z.string(),
  /** Listings of the host that become listings of one of its subdomains, because their evidence is about it. */
  splitCount: z.number(),
  /** Other listings of the host, which are removed and held for review. */
  heldCount: z.number(),
  /** Listed subdomains, which stay listed, each as a website of its own. */
  subdomains: z.number(),
});
export type SharedHostPreview = z.infer<typeof SharedHostPreview>;

const host = text({ min: 1, max: 2048, tooShort: 'Please enter a domain' });

export const SharedHostInput = z.object({ host, reason: AllowRuleInput.shape.reason });
export type SharedHostInput = z.infer<typeof SharedHostInput>;

export const listSharedHosts = endpoint({
  method: 'GET',
  path: '/api/admin/shared-hosts',
  access: 'admin',
  summary: 'List the shared hosts that admins added, and the domains that uploads suggest, newest first',
  responses: { 200: z.object({ hosts: z.array(SharedHost), suggestions: z.array(SharedHostSuggestion) }) },
});

export const previewSharedHost = endpoint({
  method: 'GET',
  path: '/api/admin/shared-hosts/preview',
  access: 'admin',
  summary: 'Count what adding a shared host would change',
  query: z.object({ host }),
  responses: { 200: SharedHostPreview },
});

export const createSharedHost = endpoint({
  method: 'POST',
  path: '/api/admin/shared-hosts',
  access: 'admin',
  summary:
    'Add a host whose subdomains are websites of different owners. Its own listings are split or held for review',
  auditEvent: 'Added a shared host',
  body: SharedHostInput,
  responses: { 201: z.extend(SharedHost, SharedHostPreview.shape) },
});

export const dismissSharedHost = endpoint({
  method: 'POST',
  path: '/api/admin/shared-hosts/dismissals',
  access: 'admin',
  summary: 'Dismiss a suggested shared host',
  auditEvent: 'Dismissed a suggested shared host',
  body: z.object({ host }),
});

export const deleteSharedHost = endpoint({
  method: 'DELETE',
  path: '/api/admin/shared-hosts/:id',
  access: 'admin',
  summary: 'Delete a shared host that an admin added. Listings stay as they are',
  auditEvent: 'Deleted a shared host',
  params: idParams,
});
