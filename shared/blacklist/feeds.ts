import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { idParams, Pagination, pageNumber, pageSize, rowId } from '../platform/page.ts';
import { text } from '../platform/text.ts';
import { feedFormats, feedGroups, feedKinds, feedStates } from './choices.ts';
import { maxSourceLength } from './domains.ts';
import { SourceKind } from './sources.ts';

export const FeedFormat = z.enum(feedFormats);
export type FeedFormat = z.infer<typeof FeedFormat>;

/** `block` lists the domains of the list, `allow` protects them from being listed. */
export const FeedKind = z.enum(feedKinds);
export type FeedKind = z.infer<typeof FeedKind>;

/**
 * `new`: never downloaded. `ok`, `unchanged`: the last download changed something, or nothing. `failing`: the last
 * download failed. `review`: a copy needs review. `disabled`: paused.
 */
export const FeedState = z.enum(feedStates);
export type FeedState = z.infer<typeof FeedState>;

/** Hours between two refreshes. */
const minIntervalHours = 24;
const maxIntervalHours = 744;

/** A refresh that would remove more than this share of a list, and at least `minHeldBackNames`, needs review. */
export const maxRemovedShare = 0.3;
export const minHeldBackNames = 20;

/** Why a line of a list is not a domain that can be listed. */
export const rejectionReasons = [
  'path',
  'ip',
  'regex',
  'wildcard',
  'exception',
  'cosmetic',
  'option',
  'shared',
  'space',
  'invalid',
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

/** Starts the error of a run whose request got no response. The reason follows. */
export const unreachablePrefix = 'This server cannot reach the list: ';

/** Starts the key that counts the names in a column or field that is not read. The rest is its name or path. */
export const unreadPrefix = 'unread:';
export type UnreadPlace = `${typeof unreadPrefix}${string}`;

/**
 * One download of a list. `added` and `removed` count the names that were listed and withdrawn, in review those that
 * would be. `unchanged` counts the names that stay, and `held` those in the review queue. `rejected` counts the lines
 * that are not used, by `RejectionReason`, and the names in columns and fields that are not read, by `UnreadPlace`.
 * `progress` is 0 to 100, `bytes` the size of the response, and `error` a sentence. `isReplaced`: a newer copy or
 * another address replaced it before it was applied; its status is `failed`.
 */
export const FeedRun = z.object({
  id: z.number(),
  startedAt: z.string(),
  finishedAt: z.nullable(z.string()),
  status: z.enum(['running', 'updated', 'unchanged', 'failed', 'review']),
  isReplaced: z.boolean(),
  added: z.number(),
  removed: z.number(),
  unchanged: z.number(),
  held: z.number(),
  rejected: z.record(z.string(), z.number()),
  bytes: z.nullable(z.number()),
  error: z.nullable(z.string()),
  progress: z.number(),
  message: z.string(),
});
export type FeedRun = z.infer<typeof FeedRun>;

/**
 * A list that is downloaded regularly. `domains` is the number of domains it lists or protects, `failures` the number
 * of failed runs since the last good one. `sourceKind` is null for lists that protect domains. `review` is the run
 * whose copy needs review, which is not always the last one. Dates are ISO 8601.
 */
export const Feed = z.object({
  id: z.number(),
  name: z.string(),
  url: z.string(),
  format: z.enum(['auto', ...feedFormats]),
  /** The format of the last good copy. */
  detectedFormat: z.nullable(FeedFormat),
  kind: FeedKind,
  sourceKind: z.nullable(SourceKind),
  intervalHours: z.number(),
  enabled: z.boolean(),
  state: FeedState,
  domains: z.number(),
  lastRunAt: z.nullable(z.string()),
  lastSuccessAt: z.nullable(z.string()),
  nextRunAt: z.nullable(z.string()),
  failures: z.number(),
  licence: z.nullable(z.string()),
  homepage: z.nullable(z.string()),
  catalogueKey: z.nullable(z.string()),
  lastRun: z.nullable(FeedRun),
  review: z.nullable(FeedRun),
});
export type Feed = z.infer<typeof Feed>;

/**
 * A public list with a free licence that an installation can subscribe to. `family` is the name of the family that its
 * source joins. `isRecommended`: current, and narrow enough to be on by default. `approximateSize` counts domains.
 */
export const CatalogueEntry = z.object({
  key: z.string(),
  group: z.enum(feedGroups),
  name: z.string(),
  description: z.string(),
  url: z.string(),
  homepage: z.string(),
  licence: z.string(),
  kind: FeedKind,
  sourceKind: z.nullable(SourceKind),
  family: z.nullable(z.string()),
  approximateSize: z.number(),
  intervalHours: z.number(),
  isRecommended: z.boolean(),
  subscribed: z.boolean(),
});
export type CatalogueEntry = z.infer<typeof CatalogueEntry>;

const nameTooLong = `A name can have up to ${maxSourceLength} characters`;
const maxUrlLength = 2000;
const webAddress = (message: string) =>
  z.url({ protocol: /^https?$/, error: message }).check(z.maxLength(maxUrlLength));
/** The message for a missing or invalid address. */
export const urlMessage = 'Please enter the address of the list, starting with https:// or http://';
const fields = {
  name: text({
    min: 1,
    max: maxSourceLength,
    tooShort: 'Please enter a name',
    tooLong: nameTooLong,
    schema: z.string('Please enter a name'),
  }).check(z.regex(/^[^,]*$/, 'A name cannot contain a comma')),
  url: webAddress(urlMessage),
  format: z.enum(['auto', ...feedFormats]),
  sourceKind: SourceKind,
  intervalHours: z
    .number()
    .check(
      z.int(),
      z.gte(minIntervalHours, `The interval must be ${minIntervalHours} to ${maxIntervalHours} hours`),
      z.lte(maxIntervalHours, `The interval must be ${minIntervalHours} to ${maxIntervalHours} hours`),
    ),
  licence: z.nullable(z.string().check(z.trim(), z.maxLength(100, 'A license can have up to 100 characters'))),
  homepage: z.nullable(webAddress('The homepage must start with https:// or http://')),
};

/** A list of the catalogue by its key, or any other list by its name and address. */
export const FeedInput = z.object({
  catalogueKey: z.optional(z.string()),
  name: z.optional(fields.name),
  url: z.optional(fields.url),
  format: z._default(fields.format, 'auto'),
  kind: z._default(FeedKind, 'block'),
  sourceKind: z._default(fields.sourceKind, 'list'),
  intervalHours: z._default(fields.intervalHours, minIntervalHours),
  licence: z.optional(fields.licence),
  homepage: z.optional(fields.homepage),
});
export type FeedInput = z.infer<typeof FeedInput>;

/** Absent fields keep their value. */
export const FeedChange = z.object({
  enabled: z.optional(z.boolean()),
  name: z.optional(fields.name),
  url: z.optional(fields.url),
  format: z.optional(fields.format),
  sourceKind: z.optional(fields.sourceKind),
  intervalHours: z.optional(fields.intervalHours),
  licence: z.optional(fields.licence),
  homepage: z.optional(fields.homepage),
});
export type FeedChange = z.infer<typeof FeedChange>;

const params = z.object({ id: rowId(2_147_483_647) });
const runParams = z.object({ ...params.shape, runId: idParams.shape.id });

export const listFeedCatalogue = endpoint({
  method: 'GET',
  path: '/api/admin/feeds/catalogue',
  access: 'admin',
  summary: 'List the public lists that this installation can subscribe to',
  responses: { 200: z.array(CatalogueEntry) },
});

export const listFeeds = endpoint({
  method: 'GET',
  path: '/api/admin/feeds',
  access: 'admin',
  summary: 'List the feeds by name',
  responses: { 200: z.array(Feed) },
});

export const createFeed = endpoint({
  method: 'POST',
  path: '/api/admin/feeds',
  access: 'admin',
  summary: 'Subscribe to a list and start its first download',
  auditEvent: 'Added a feed',
  body: FeedInput,
  responses: { 201: Feed },
});

export const updateFeed = endpoint({
  method: 'PATCH',
  path: '/api/admin/feeds/:id',
  access: 'admin',
  summary: 'Pause or resume a feed, or change its settings',
  auditEvent: 'Changed a feed',
  params,
  body: FeedChange,
  responses: { 200: Feed },
});

export const deleteFeed = endpoint({
  method: 'DELETE',
  path: '/api/admin/feeds/:id',
  access: 'admin',
  summary: 'Delete a feed, and keep or withdraw its listings',
  needsProof: true,
  auditEvent: 'Deleted a feed',
  params,
  query: z.object({ listings: z._default(z.enum(['keep', 'withdraw']), 'keep') }),
});

export const refreshFeed = endpoint({
  method: 'POST',
  path: '/api/admin/feeds/:id/refresh',
  access: 'admin',
  summary: 'Download a list now, or return the run in progress',
  auditEvent: 'Refreshed a feed',
  params,
  responses: { 202: z.object({ runId: z.number() }) },
});

export const listFeedRuns = endpoint({
  method: 'GET',
  path: '/api/admin/feeds/:id/runs',
  access: 'admin',
  summary: 'List the runs of a feed, newest first',
  params,
  query: z.object({ page: pageNumber, pageSize: pageSize(50) }),
  responses: { 200: z.array(FeedRun) },
});

export const acceptFeedRun = endpoint({
  method: 'POST',
  path: '/api/admin/feeds/:id/runs/:runId/accept',
  access: 'admin',
  summary: 'Apply a copy that needs review',
  auditEvent: 'Accepted a feed run',
  params: runParams,
  responses: { 202: z.object({ runId: z.number() }) },
});

export const listFeedChanges = endpoint({
  method: 'GET',
  path: '/api/admin/feeds/:id/runs/:runId/changes',
  access: 'admin',
  summary: 'List the names that a run added or removed, or would in review',
  params: runParams,
  query: z.object({
    change: z._default(z.enum(['added', 'removed']), 'added'),
    /** Part of a name. */
    search: z.optional(z.string().check(z.trim(), z.maxLength(253))),
    page: pageNumber,
    pageSize: pageSize(50),
  }),
  responses: { 200: z.object({ names: z.array(z.string()), pagination: Pagination }) },
});
