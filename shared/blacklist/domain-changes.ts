import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { idParams } from '../platform/page.ts';
import { optionalText, text } from '../platform/text.ts';
import { Domain, maxSourceLength, maxSources, RiskCounts, RiskLevel } from './domains.ts';

// Apart from domains.ts, because the blacklist loads this part only when someone changes or reports a domain.

export const deleteAllCode = 'DELETE ALL DOMAINS';

const optionalInteger = (max: number, notWhole: string, tooLow: string, tooHigh: string) =>
  z.optional(z.nullable(z.number().check(z.int(notWhole), z.gte(0, tooLow), z.lte(max, tooHigh))));

const ratingRange = 'Domain rating must be between 0 and 100';

/** The request body for adding or editing a domain. */
export const DomainInput = z.object({
  domain: text({ min: 1, max: 2048, tooShort: 'Please enter a domain' }),
  /** One or more sources, separated by commas. */
  source: text({
    min: 1,
    max: maxSources * (maxSourceLength + 2),
    tooShort: 'Please enter a source',
    tooLong: `A domain can have up to ${maxSources} sources`,
  }),
  description: optionalText(5000),
  riskLevel: z.optional(z.nullable(RiskLevel)),
  sourceDetails: optionalText(5000),
  notes: optionalText(5000),
  niche: optionalText(100),
  cost: optionalText(100),
  domainRating: optionalInteger(100, 'Domain rating must be a whole number', ratingRange, ratingRange),
  outboundLinks: optionalInteger(
    2_147_483_647,
    'Outbound links must be a whole number',
    'Outbound links must be 0 or more',
    'This number of outbound links is too large',
  ),
  addedBy: z.optional(z.nullable(z.string())),
  /** Lists a site that is protected, such as a well-known one. Without it, the response is 409 `needs_confirmation`. */
  confirmed: z.optional(z.boolean()),
  userIsAdmin: z.optional(z.boolean()),
});
export type DomainInput = z.infer<typeof DomainInput>;

export const createDomain = endpoint({
  method: 'POST',
  path: '/api/domains',
  access: 'admin',
  summary: 'Add a domain',
  auditEvent: 'Added a domain',
  body: DomainInput,
  responses: { 201: Domain },
});

export const updateDomain = endpoint({
  method: 'PUT',
  path: '/api/domains/:id',
  access: 'admin',
  summary: 'Edit a domain',
  auditEvent: 'Changed a domain',
  params: idParams,
  body: DomainInput,
  responses: { 200: Domain },
});

export const deleteDomain = endpoint({
  method: 'DELETE',
  path: '/api/domains/:id',
  access: 'admin',
  summary: 'Delete a domain',
  auditEvent: 'Deleted a domain',
  params: idParams,
});

const ids = z.array(z.number().check(z.int(), z.gte(1))).check(z.minLength(1), z.maxLength(10_000));

export const bulkDeleteDomains = endpoint({
  method: 'POST',
  path: '/api/domains/bulk-delete',
  access: 'admin',
  summary: 'Delete the domains with these ids',
  needsProof: true,
  auditEvent: 'Deleted selected domains',
  body: z.object({
    ids,
    userIsAdmin: z.optional(z.boolean()),
  }),
  responses: { 200: z.object({ count: z.number() }) },
});

/** How long a deletion can be undone, in minutes. */
export const undoMinutes = 10;

export const restoreDomains = endpoint({
  method: 'POST',
  path: '/api/domains/restore',
  access: 'admin',
  summary: 'Undo the deletion of domains, within 10 minutes',
  auditEvent: 'Restored deleted domains',
  body: z.object({ ids }),
  responses: { 200: z.object({ count: z.number() }) },
});

export const deleteAllDomains = endpoint({
  method: 'POST',
  path: '/api/admin/delete-all-domains',
  access: 'admin',
  summary: 'Delete every domain on the blacklist',
  auditEvent: 'Deleted all domains',
  needsProof: true,
  body: z.object({
    confirmationCode: z.literal(deleteAllCode, `Please type exactly '${deleteAllCode}'`),
    userIsAdmin: z.optional(z.boolean()),
  }),
  responses: { 200: z.object({ count: z.number() }) },
});

export const updateRiskLevels = endpoint({
  method: 'POST',
  path: '/api/risk/update-risk-levels',
  access: 'admin',
  summary: 'Recompute every risk level from the number of sources',
  auditEvent: 'Updated risk levels',
  responses: { 200: z.object({ timeTaken: z.number(), stats: RiskCounts }) },
});

/** The 'Report incorrect information' form. */
export const DomainReport = z.object({
  message: text({
    min: 10,
    max: 5000,
    tooShort: 'Message must be at least 10 characters',
    tooLong: 'Message must be at most 5000 characters',
  }),
});

export const reportDomain = endpoint({
  method: 'POST',
  path: '/api/domains/:id/reports',
  access: 'user',
  summary: 'Report incorrect information about a domain to the admins',
  params: idParams,
  body: DomainReport,
  responses: { 201: z.object({ id: z.number() }) },
});
