import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { idParams, pageNumber, pageSize } from '../platform/page.ts';
import { discoveryPageSize, discoveryStatuses } from './choices.ts';

/**
 * What was found on the pages of a site that may sell links. Proposed: an offer that waits for an admin's decision.
 * Nothing: no offer was found.
 */
export const DiscoveryStatus = z.enum(discoveryStatuses);
export type DiscoveryStatus = z.infer<typeof DiscoveryStatus>;

export const Discovery = z.object({
  id: z.number(),
  domain: z.string(),
  /** A sentence of the page, up to 300 characters; null without an offer. */
  quote: z.nullable(z.string()),
  price: z.nullable(z.number()),
  /** ISO 4217. */
  currency: z.nullable(z.string()),
  /** The page with the offer. */
  url: z.nullable(z.string()),
  contactUrl: z.nullable(z.string()),
  /** The share of the page's links to other sites that are marked as sponsored, 0 to 1; null without such links. */
  sponsoredShare: z.nullable(z.number()),
  /** Why the site could not be read. */
  problem: z.nullable(z.string()),
  /** When the pages were visited. ISO 8601. */
  seenAt: z.string(),
  status: DiscoveryStatus,
});
export type Discovery = z.infer<typeof Discovery>;

/** Why a name is not visited. */
const SkippedName = z.object({ name: z.string(), reason: z.string() });

/** The most names of one request. */
export const maxDiscoveryNames = 1000;

const path = '/api/admin/discoveries';

export const listDiscoveries = endpoint({
  method: 'GET',
  path,
  access: 'admin',
  summary: 'List the visited sites with a given status, newest first',
  query: z.object({
    status: z._default(DiscoveryStatus, 'proposed'),
    page: pageNumber,
    pageSize: pageSize(discoveryPageSize),
  }),
  responses: {
    200: z.object({
      discoveries: z.array(Discovery),
      total: z.number(),
      /** Sites that wait for their visit. */
      waiting: z.number(),
    }),
  },
});

export const startDiscoveries = endpoint({
  method: 'POST',
  path,
  access: 'admin',
  summary: 'Look for offers of links on the pages of sites',
  auditEvent: 'Looked for offers of links',
  body: z.object({
    domains: z
      .array(z.string().check(z.maxLength(2048)))
      .check(z.minLength(1), z.maxLength(maxDiscoveryNames, `Up to ${maxDiscoveryNames} names at once`)),
  }),
  responses: { 202: z.object({ count: z.number(), skipped: z.array(SkippedName) }) },
});

export const decideDiscovery = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  access: 'admin',
  summary: 'Accept or reject a proposal. Accepting adds the site to the blacklist',
  auditEvent: 'Decided on a discovery',
  params: idParams,
  body: z.object({ status: z.enum(['accepted', 'rejected']) }),
  responses: { 200: Discovery },
});
