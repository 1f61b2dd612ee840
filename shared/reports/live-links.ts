import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { idParams } from '../platform/page.ts';

/**
 * What a visit says about a link. The best state of its links is that of a domain: an earlier one in this list. The
 * database stores the number in the list.
 */
export const liveStates = [
  'present',
  'changedTarget',
  'nofollow',
  'noindex',
  'needsBrowser',
  'blocked',
  'unreachable',
  'gone',
  'pageGone',
] as const;
export const LiveState = z.enum(liveStates);
export type LiveState = z.infer<typeof LiveState>;

/** The names of the states on screens. */
export const liveStateTexts: Record<LiveState, string> = {
  present: 'Link present',
  changedTarget: 'Links to another page',
  nofollow: 'Nofollow',
  noindex: 'Page not indexed',
  needsBrowser: 'Needs a browser',
  blocked: 'Blocked by robots.txt',
  unreachable: 'Not reachable',
  gone: 'Link gone',
  pageGone: 'Page gone',
};

/** `unchecked`: no page of the domain was visited. `nothingToDo`: all were, and each link or page is gone. */
export const liveFilters = [...liveStates, 'unchecked', 'nothingToDo'] as const;
export const LiveFilter = z.enum(liveFilters);
export type LiveFilter = z.infer<typeof LiveFilter>;

/** The best state of the links of a domain. */
export const LiveDomain = z.object({
  status: LiveState,
  /** When its last page was visited. */
  checkedAt: z.string(),
  /** How many pages of the domain link to the website, and how many of them were visited. */
  pages: z.number(),
  checkedPages: z.number(),
});
export type LiveDomain = z.infer<typeof LiveDomain>;

/** Whether every link of a domain is gone, so that its owner has nothing to remove and nothing to disavow. */
export const isNothingToDo = (live: LiveDomain | null): boolean =>
  live !== null && live.checkedPages >= live.pages && (live.status === 'gone' || live.status === 'pageGone');

/** What visits to the pages of a report found. */
export const LiveCounts = z.object({
  /** Its domains by state. */
  counts: z.record(LiveState, z.number()),
  /** The domains whose links are all gone. */
  nothingToDo: z.number(),
  /** When the last page was visited. */
  checkedAt: z.nullable(z.string()),
});
export type LiveCounts = z.infer<typeof LiveCounts>;

/** A check of the links of a report, and the results of all. `none`: there was no check yet. */
export const LinkCheck = z.extend(LiveCounts, {
  jobId: z.nullable(z.string()),
  status: z.enum(['none', 'processing', 'completed', 'failed', 'cancelled']),
  /** 0 to 100. */
  progress: z.number(),
  message: z.string(),
  /** The pages of the check, and how many of them were visited. */
  pages: z.number(),
  visited: z.number(),
});
export type LinkCheck = z.infer<typeof LinkCheck>;

const path = '/api/reports/:id/link-checks';

export const startLinkCheck = endpoint({
  method: 'POST',
  path,
  access: 'user',
  summary: 'Visit the pages that link to the website of a report, or return the check that runs',
  params: idParams,
  body: z.object({
    /** Only these domains of the report. */
    domains: z.optional(z.array(z.string().check(z.maxLength(253))).check(z.minLength(1), z.maxLength(1000))),
    which: z._default(z.enum(['all', 'undecided']), 'all'),
  }),
  responses: { 202: z.object({ jobId: z.string() }) },
});

export const getLinkCheck = endpoint({
  method: 'GET',
  path,
  access: 'user',
  summary: 'Get the last check of the links of a report',
  params: idParams,
  responses: { 200: LinkCheck },
});

export const cancelLinkCheck = endpoint({
  method: 'DELETE',
  path,
  access: 'user',
  summary: 'Stop the check of the links of a report. What was found is kept',
  params: idParams,
});

/** What was seen on a page of a report. */
export const LivePage = z.object({
  page: z.string(),
  status: LiveState,
  /** Why the page could not be read. */
  reason: z.nullable(z.string()),
  httpStatus: z.nullable(z.number()),
  finalUrl: z.nullable(z.string()),
  rel: z.nullable(z.string()),
  anchor: z.nullable(z.string()),
  sentence: z.nullable(z.string()),
  checkedAt: z.string(),
});
export type LivePage = z.infer<typeof LivePage>;

export const listLivePages = endpoint({
  method: 'GET',
  path: '/api/reports/:id/live-pages',
  access: 'user',
  summary: 'List what was seen on the visited pages of a domain of a report',
  params: idParams,
  query: z.object({ domain: z.string().check(z.maxLength(253)) }),
  responses: { 200: z.array(LivePage) },
});
