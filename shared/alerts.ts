import * as z from 'zod/mini';
import { Decision } from './decisions.ts';
import { Confidence, RiskLevel } from './domains.ts';
import { endpoint } from './endpoint.ts';
import { Pagination, pageNumber, pageSize, rowId } from './page.ts';
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
  independentSourceCount: z.nullable(z.number()),
  at: z.string(),
  readAt: z.nullable(z.string()),
  decision: z.nullable(Decision),
  /** The newest report of the website, if it contains the domain. */
  reportId: z.nullable(z.number()),
});
export type Alert = z.infer<typeof Alert>;

export const alertsPageSize = 50;

/** A yes-or-no parameter of a query string. */
const flag = z.pipe(
  z.enum(['true', 'false']),
  z.transform((text) => text === 'true'),
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

export const maxReadAlerts = 1000;

export const readAlerts = endpoint({
  method: 'POST',
  path: '/api/alerts/read',
  access: 'user',
  summary: 'Mark some or all of my alerts as read',
  body: z.union([
    z.object({ ids: z.array(z.number().check(z.int(), z.gte(1))).check(z.maxLength(maxReadAlerts)) }),
    /** With `profileId`, only the alerts of one website. */
    z.object({ all: z.literal(true), profileId: z.optional(z.number().check(z.int(), z.gte(1))) }),
  ]),
  responses: { 200: z.object({ unread: z.number() }) },
});
