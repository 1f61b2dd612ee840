import * as z from 'zod/mini';
import { RiskLevel } from '../blacklist/domains.ts';
import { cursorPage, cursorQuery } from '../platform/cursor.ts';
import { endpoint } from '../platform/endpoint.ts';
import { idParams } from '../platform/page.ts';
import { Decision, DomainDecision, decide, maxDecidedDomains } from './decisions.ts';
import { KeyReport } from './key-reports.ts';
import { AlertEvent } from './watch.ts';
import { createWebsite, updateWebsite, Website } from './websites.ts';

// Websites, decisions and alerts for API keys. openapi-components.ts describes each field.

export const KeyWebsite = z.extend(z.pick(Website, { id: true, domain: true, description: true, tags: true }), {
  dateAdded: z.string(),
  lastReport: z.nullable(KeyReport),
});
export type KeyWebsite = z.infer<typeof KeyWebsite>;

const { domain, description } = createWebsite.body.shape;

export const NewWebsite = z.object({ domain, description });

/** What is missing stays as it is. */
export const WebsiteChange = z.object({ description, tags: z.optional(updateWebsite.body.shape.tags) });

export const listWebsitesWithKey = endpoint({
  method: 'GET',
  path: '/api/v1/websites',
  access: 'key',
  scope: 'read',
  summary: 'List my websites, newest first',
  hasETag: true,
  query: z.object(cursorQuery),
  responses: { 200: cursorPage(KeyWebsite) },
});

export const createWebsiteWithKey = endpoint({
  method: 'POST',
  path: '/api/v1/websites',
  access: 'key',
  scope: 'write',
  summary: 'Add a website',
  body: NewWebsite,
  responses: { 201: KeyWebsite },
});

export const getWebsiteWithKey = endpoint({
  method: 'GET',
  path: '/api/v1/websites/:id',
  access: 'key',
  scope: 'read',
  summary: 'Get a website',
  hasETag: true,
  params: idParams,
  responses: { 200: KeyWebsite },
});

export const updateWebsiteWithKey = endpoint({
  method: 'PATCH',
  path: '/api/v1/websites/:id',
  access: 'key',
  scope: 'write',
  summary: 'Change the description or the tags of a website',
  params: idParams,
  body: WebsiteChange,
  responses: { 200: KeyWebsite },
});

export const deleteWebsiteWithKey = endpoint({
  method: 'DELETE',
  path: '/api/v1/websites/:id',
  access: 'key',
  scope: 'write',
  summary: 'Delete a website and its reports',
  params: idParams,
});

export const listDecisionsWithKey = endpoint({
  method: 'GET',
  path: '/api/v1/websites/:id/decisions',
  access: 'key',
  scope: 'read',
  summary: 'List the decisions about the domains that link to a website, by name',
  hasETag: true,
  params: idParams,
  query: z.object(cursorQuery),
  responses: { 200: cursorPage(DomainDecision) },
});

const { domains, note } = decide.body.shape;

export const DecisionChange = z.object({ domain: domains.def.element, decision: z.nullable(Decision), note });

export const DecisionList = z.object({
  decisions: z
    .array(DecisionChange)
    .check(
      z.minLength(1),
      z.maxLength(maxDecidedDomains, `Decide about up to ${maxDecidedDomains} domains at a time.`),
    ),
});
export type DecisionList = z.infer<typeof DecisionList>;

export const DecisionResult = z.object({ changed: z.number() });

export const decideWithKey = endpoint({
  method: 'PUT',
  path: '/api/v1/websites/:id/decisions',
  access: 'key',
  scope: 'write',
  longBody: true,
  summary: 'Decide about many domains, all or none',
  params: idParams,
  body: DecisionList,
  responses: { 200: DecisionResult },
});

export const downloadDisavowWithKey = endpoint({
  method: 'GET',
  path: '/api/v1/websites/:id/disavow.txt',
  access: 'key',
  scope: 'read',
  summary: "Download the website's disavow file",
  hasETag: true,
  params: idParams,
});

export const KeyAlert = z.object({
  id: z.number(),
  websiteId: z.number(),
  website: z.string(),
  domain: z.string(),
  event: AlertEvent,
  from: z.nullable(RiskLevel),
  to: z.nullable(RiskLevel),
  backlinks: z.number(),
  at: z.string(),
  readAt: z.nullable(z.string()),
});
export type KeyAlert = z.infer<typeof KeyAlert>;

export const listAlertsWithKey = endpoint({
  method: 'GET',
  path: '/api/v1/alerts',
  access: 'key',
  scope: 'read',
  summary: 'List my alerts, oldest first',
  hasETag: true,
  /** `since`: only alerts from this time on. */
  query: z.object({ ...cursorQuery, since: z.optional(z.iso.datetime({ offset: true })) }),
  responses: { 200: cursorPage(KeyAlert) },
});
