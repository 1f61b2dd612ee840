import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { idParams, Pagination, pageSize } from '../platform/page.ts';
import { optionalText, text } from '../platform/text.ts';
import { SavedDisavowAnswers } from './disavow-advice.ts';
import { ReportSummary } from './reports.ts';
import { DigestInterval } from './watch.ts';

export const duplicateWebsiteMessage = 'This domain already exists in the system. Please try a different domain.';

/** How many reports the trend of a website contains. */
export const maxTrendPoints = 12;

export const maxTags = 10;
export const maxTagLength = 30;

/** The toxicity of one report, without lost links. */
export const TrendPoint = z.object({
  date: z.string(),
  /** Null if the report has too few referring domains for a percentage that does not mislead. */
  toxicityPercentage: z.nullable(z.number()),
  toxicDomains: z.number(),
  uniqueDomains: z.number(),
});
export type TrendPoint = z.infer<typeof TrendPoint>;

/** How a website is watched, and the number of unread alerts of each event. */
export const WatchState = z.object({
  enabled: z.boolean(),
  digest: DigestInterval,
  /** The hosts that are compared with every change of the blacklist. */
  hosts: z.number(),
  unread: z.object({ listed: z.number(), raised: z.number(), lowered: z.number(), delisted: z.number() }),
});
export type WatchState = z.infer<typeof WatchState>;

export const Website = z.object({
  id: z.number(),
  domain: z.string(),
  description: z.nullable(z.string()),
  dateAdded: z.string(),
  tags: z.array(z.string()),
  /** The newest report, if there is one. */
  lastReport: z.nullable(ReportSummary),
  reportCount: z.number(),
  /** The listed domains of the newest report, without those that have only lost links. */
  listedDomains: z.number(),
  /** How many of `listedDomains` have no decision yet. */
  openReviews: z.number(),
  /** How many of `listedDomains` the report before did not have. Null for a first report. */
  newToxicDomains: z.nullable(z.number()),
  /** The newest reports, oldest first. */
  trend: z.array(TrendPoint),
  /** What the user answered to "Should I disavow?"; null if they have not. */
  disavowAnswers: z.nullable(SavedDisavowAnswers),
  watch: WatchState,
});
export type Website = z.infer<typeof Website>;

const WebsiteInput = z.object({
  domain: text({ min: 1, max: 2048, tooShort: 'Please enter a domain name for your website profile' }),
  description: optionalText(500),
  /** Hides the website until an upload for it succeeds. If none does within two days, it is deleted. */
  forUpload: z.optional(z.boolean()),
  firebaseUid: z.optional(z.nullable(z.string())),
  userId: z.optional(z.nullable(z.union([z.string(), z.number()]))),
});

export const listWebsites = endpoint({
  method: 'GET',
  path: '/api/profiles',
  access: 'user',
  summary: 'List my websites',
  query: z.object({ firebaseUid: z.optional(z.string()), userId: z.optional(z.string()) }),
  responses: { 200: z.array(Website) },
});

export const createWebsite = endpoint({
  method: 'POST',
  path: '/api/profiles',
  access: 'user',
  summary: 'Add a website',
  body: WebsiteInput,
  responses: { 201: Website },
});

/** Tags in the order given, trimmed. A tag that differs from an earlier one only in case is refused. */
const Tags = z
  .array(
    text({
      min: 1,
      max: maxTagLength,
      tooShort: 'A tag needs at least one character.',
      tooLong: `Tags can have up to ${maxTagLength} characters.`,
    }),
  )
  .check(
    z.maxLength(maxTags, `A website can have up to ${maxTags} tags.`),
    z.refine(
      (tags) => new Set(tags.map((tag) => tag.toLowerCase())).size === tags.length,
      'Two of the tags are the same.',
    ),
  );

export const updateWebsite = endpoint({
  method: 'PUT',
  path: '/api/profiles/:id',
  access: 'user',
  summary: 'Change the tags of one of my websites',
  params: idParams,
  body: z.object({ tags: Tags }),
  responses: { 200: Website },
});

export const deleteWebsite = endpoint({
  method: 'DELETE',
  path: '/api/profiles/:id',
  access: 'user',
  summary: 'Delete one of my websites and its reports',
  params: idParams,
});

export const restoreWebsite = endpoint({
  method: 'POST',
  path: '/api/profiles/:id/restore',
  access: 'user',
  summary: 'Undo the deletion of one of my websites, within a minute',
  params: idParams,
});

/** A website with its owner, for admins. `userInfo` is null if the owner deleted their account. */
export const OwnedWebsite = z.object({
  id: z.number(),
  domain: z.string(),
  description: z.nullable(z.string()),
  dateAdded: z.string(),
  reportCount: z.number(),
  userInfo: z.nullable(
    z.object({
      id: z.number(),
      email: z.string(),
      username: z.string(),
      displayName: z.nullable(z.string()),
    }),
  ),
});
export type OwnedWebsite = z.infer<typeof OwnedWebsite>;

const ownedWebsitesPageSize = 25;

export const listAllWebsites = endpoint({
  method: 'GET',
  path: '/api/admin/profiles',
  access: 'admin',
  summary: 'List all websites with their owners, newest first; one page of them if `page` is set',
  query: z.object({
    userIsAdmin: z.optional(z.string()),
    /** Matches part of the domain, or of the owner's username, email address or display name. */
    search: z.optional(z.string().check(z.trim(), z.maxLength(254))),
    page: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000_000))),
    pageSize: pageSize(ownedWebsitesPageSize),
  }),
  responses: {
    200: z.union([
      z.array(OwnedWebsite),
      z.object({
        profiles: z.array(OwnedWebsite),
        pagination: Pagination,
        /** Number of websites without an owner. `search` does not affect it. */
        orphaned: z.number(),
      }),
    ]),
  },
});

export const listOrphanedWebsites = endpoint({
  method: 'GET',
  path: '/api/admin/orphaned-profiles',
  access: 'admin',
  summary: 'List websites without an owner',
  query: z.object({ userIsAdmin: z.optional(z.string()) }),
  responses: { 200: z.array(OwnedWebsite) },
});

export const newOwnerRequiredMessage = 'Please enter the Firebase UID, email address or username of the new owner.';

export const transferWebsite = endpoint({
  method: 'POST',
  path: '/api/admin/transfer-profile',
  access: 'admin',
  summary: 'Transfer a website and its reports to another account',
  needsProof: true,
  auditEvent: 'Transferred a website profile',
  body: z.object({
    profileId: z.number().check(z.int(), z.gte(1)),
    /** A UID, email address or username: an account with only a password has no UID. */
    newFirebaseUid: text({ min: 1, max: 254, tooShort: newOwnerRequiredMessage }),
    userIsAdmin: z.optional(z.boolean()),
  }),
  responses: { 200: OwnedWebsite },
});

export const deleteAnyWebsite = endpoint({
  method: 'DELETE',
  path: '/api/admin/profiles/:id',
  access: 'admin',
  summary: "Delete any user's website and its reports",
  needsProof: true,
  auditEvent: 'Deleted a website profile',
  params: idParams,
});
