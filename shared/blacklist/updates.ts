import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { FeedKind } from './feeds.ts';
import { publishedFormats } from './published-list.ts';

/** The address of the Atom feed. */
export const updatesFeedPath = '/updates.xml';

/** The element id of a month ('2026-11') on the page. */
export const toMonthId = (month: string) => `month-${month}`;

/** `homepage` is an http or https address. `kind`: a block list lists its domains, an allow list protects them. */
const ListFacts = z.object({
  name: z.string(),
  homepage: z.nullable(z.string()),
  licence: z.nullable(z.string()),
  kind: FeedKind,
});

/** What a list changed in a month: names that it started or stopped to list, or to protect. */
const ListChanges = z.extend(ListFacts, { added: z.number(), removed: z.number() });

/**
 * A month (UTC) with at least one completed run. `added` and `removed` count the domains that became or are no longer
 * part of the blacklist, through any list or import. `imports` is the number of completed imports, and `imported` the
 * number of domains that they added. `updatedAt` (ISO 8601) is when the last run finished.
 */
export const UpdateMonth = z.object({
  month: z.string(),
  updatedAt: z.string(),
  added: z.number(),
  removed: z.number(),
  lists: z.array(ListChanges),
  imports: z.number(),
  imported: z.number(),
});
export type UpdateMonth = z.infer<typeof UpdateMonth>;

/** A public list that the blacklist contains. `domains` is the number of domains that it lists or protects. */
export const PublicList = z.extend(ListFacts, { domains: z.number(), lastSuccessAt: z.nullable(z.string()) });
export type PublicList = z.infer<typeof PublicList>;

/** The changes of the last 24 months, newest first, and the public lists by name. */
export const BlacklistUpdates = z.object({
  months: z.array(UpdateMonth),
  lists: z.array(PublicList),
  /** The addresses of the published list. Null if this installation does not publish it. */
  published: z.nullable(z.array(z.object({ format: z.enum(publishedFormats), url: z.string() }))),
});
export type BlacklistUpdates = z.infer<typeof BlacklistUpdates>;

export const getUpdates = endpoint({
  method: 'GET',
  path: '/api/updates',
  access: 'public',
  summary: 'Get what was added to and removed from the blacklist in each month, and the public lists in it',
  responses: { 200: BlacklistUpdates },
});

export const getUpdatesFeed = endpoint({
  method: 'GET',
  path: updatesFeedPath,
  access: 'public',
  summary: 'Get the monthly updates as an Atom feed',
});
