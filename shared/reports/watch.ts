import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { idParams } from '../platform/page.ts';

/** What can happen to a listed domain that links to a website. */
export const alertEvents = ['listed', 'raised', 'lowered', 'delisted'] as const;
export const AlertEvent = z.enum(alertEvents);
export type AlertEvent = z.infer<typeof AlertEvent>;

/** How often alerts are sent by email. */
export const digestIntervals = ['daily', 'weekly', 'off'] as const;
export const DigestInterval = z.enum(digestIntervals);
export type DigestInterval = z.infer<typeof DigestInterval>;

/** Which events of a website create alerts. */
export const WatchEvents = z.object({
  listed: z.boolean(),
  raised: z.boolean(),
  lowered: z.boolean(),
  delisted: z.boolean(),
});
export type WatchEvents = z.infer<typeof WatchEvents>;

/** How a website is watched. */
export const Watch = z.object({
  enabled: z.boolean(),
  events: WatchEvents,
  digest: DigestInterval,
  /** The hosts of the website's exports, which are compared with every change of the blacklist. */
  hosts: z.number(),
  /** The number of its exports that have been analyzed and not deleted. */
  exports: z.number(),
  /** When the newest export was analyzed; null without one. */
  exportedAt: z.nullable(z.string()),
  /** Digests to this account stopped, because the mail server refused its address. */
  emailPaused: z.boolean(),
});
export type Watch = z.infer<typeof Watch>;

/** From this age in days on, an export is too old: links have come and gone since. */
export const maxExportAgeDays = 90;

export const getWatch = endpoint({
  method: 'GET',
  path: '/api/profiles/:id/watch',
  access: 'user',
  summary: 'Show how one of my websites is watched',
  params: idParams,
  responses: { 200: Watch },
});

export const updateWatch = endpoint({
  method: 'PUT',
  path: '/api/profiles/:id/watch',
  access: 'user',
  summary: 'Change how one of my websites is watched. Omitted fields keep their values',
  params: idParams,
  body: z.object({
    enabled: z.optional(z.boolean()),
    events: z.optional(z.partial(WatchEvents)),
    digest: z.optional(DigestInterval),
  }),
  responses: { 200: Watch },
});
