import * as z from 'zod/mini';
import { Confidence, RiskLevel } from '../blacklist/domains.ts';
import { endpoint } from '../platform/endpoint.ts';
import { Pagination, pageNumber, pageSize, rowId } from '../platform/page.ts';
import { Decision } from './decisions.ts';
import { AlertEvent } from './watch.ts';

/** A change of a listed domain that links to one of the user's websites. */
export const Alert = z.object({
  id: z.number(),
  /** The alerts that one comparison with the blacklist created have the same run. */
  runId: z.number(),
  profileId: z.number(),
  /** The domain of the website. */
  website: z.string(),
  /** The listed domain. */
  domain: z.string(),
  event: AlertEvent,
  /** The risk level before and after the change; null while the domain was or is not listed. */
  from: z.nullable(RiskLevel),
  to: z.nullable(RiskLevel),
  /** The links from the domain in the website's exports, without lost ones. */
  backlinks: z.number(),
  /** What the listing was based on when the alert was created; null for a delisted domain. */
  confidence: z.nullable(Confidence),
  sourceCount: z.nullable(z.number()),
  independentSourceCount: z.nullable(z.number()),
  at: z.string(),
  readAt: z.nullable(z.string()),
  decision: z.nullable(Decision),
  /** The newest report of the website, if it contains the domain. */
  reportId: z.nullable(z.number()),
});
export type Alert = z.infer<typeof Alert>;

const alertsPageSize = 50;

/** A yes-or-no parameter of a query string. */
const flag = z.pipe(
  z.enum(['true', 'false', '1', '0']),
  z.transform((text) => text === 'true' || text === '1'),
);

export const listAlerts = endpoint({
  method: 'GET',
  path: '/api/alerts',
  access: 'user',
  summary: 'List my alerts, newest first',
  query: z.object({
    profileId: z.optional(rowId(Number.MAX_SAFE_INTEGER)),
    unread: z.optional(flag),
    event: z.optional(AlertEvent),
    page: pageNumber,
    pageSize: pageSize(alertsPageSize),
  }),
  responses: {
    200: z.object({
      alerts: z.array(Alert),
      pagination: Pagination,
      /** All unread alerts of the user, whatever the query selects. */
      unread: z.number(),
    }),
  },
});

const maxReadAlerts = 1000;

export const readAlerts = endpoint({
  method: 'POST',
  path: '/api/alerts/read',
  access: 'user',
  summary: 'Mark some or all of my alerts as read, or undo that',
  /** Either `ids`, `all` or `undo`. */
  body: z.object({
    /** Ids that are not of the user's alerts are ignored. */
    ids: z.optional(
      z
        .array(z.number().check(z.int(), z.gte(1)))
        .check(z.maxLength(maxReadAlerts, `Mark up to ${maxReadAlerts} alerts at a time.`)),
    ),
    all: z.optional(z.literal(true)),
    /** The `readAt` of an earlier response, whose alerts become unread again. */
    undo: z.optional(z.iso.datetime()),
    /** Only the alerts of this website. */
    profileId: z.optional(z.number().check(z.int(), z.gte(1))),
  }),
  responses: { 200: z.object({ unread: z.number(), readAt: z.string() }) },
});
