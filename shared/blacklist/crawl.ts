import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { idParams } from '../platform/page.ts';
import { Proof } from './appeals.ts';

/** The name in robots.txt, and the start of the User-Agent header. */
export const crawlerName = 'LinksieveBot';
/** The page that explains the visits. */
export const crawlerPage = '/crawler';

/** How visits treat other sites. Times are in seconds. */
export const crawlManners = {
  pagesPerHost: 8,
  robotsHours: 24,
  redirects: 5,
  megabytes: 4,
  timeoutSeconds: 20,
} as const;

/** Whether Linksieve visits pages of other sites. `perMinute` and `hostSeconds` are settings of the server. */
export const CrawlSetting = z.object({ enabled: z.boolean(), perMinute: z.number(), hostSeconds: z.number() });
export type CrawlSetting = z.infer<typeof CrawlSetting>;

export const getCrawlSetting = endpoint({
  method: 'GET',
  path: '/api/admin/settings/crawl',
  access: 'admin',
  summary: 'Get whether this installation visits pages of other sites',
  responses: { 200: CrawlSetting },
});

export const setCrawlSetting = endpoint({
  method: 'PUT',
  path: '/api/admin/settings/crawl',
  access: 'admin',
  summary: 'Turn visits to pages of other sites on or off',
  auditEvent: 'Turned page visits on or off',
  body: z.object({ enabled: z.boolean() }),
  responses: { 200: CrawlSetting },
});

/** The wish of an owner that a domain and its subdomains are not visited. It counts once `dateVerified` is set. */
export const CrawlOptOut = z.object({
  id: z.number(),
  domain: z.string(),
  proof: Proof,
  /** The text of the TXT record or of the file. */
  token: z.string(),
  /** The record or the URL where the token is expected. */
  place: z.string(),
  dateCreated: z.string(),
  dateVerified: z.nullable(z.string()),
});
export type CrawlOptOut = z.infer<typeof CrawlOptOut>;

const path = '/api/crawl/opt-outs';

export const listOptOuts = endpoint({
  method: 'GET',
  path,
  access: 'user',
  summary: 'List the domains whose visits the signed-in user stops',
  responses: { 200: z.array(CrawlOptOut) },
});

export const createOptOut = endpoint({
  method: 'POST',
  path,
  access: 'user',
  summary: 'Get the token that proves control of a domain whose visits should stop',
  body: z.object({ domain: z.string().check(z.maxLength(2048)), proof: z._default(Proof, 'dns') }),
  responses: { 201: CrawlOptOut },
});

export const verifyOptOut = endpoint({
  method: 'POST',
  path: `${path}/:id/verify`,
  access: 'user',
  summary: 'Look for the token. If it is found, the domain is not visited any more',
  params: idParams,
  responses: {
    200: z.object({ verified: z.boolean(), lookedAt: z.string(), found: z.array(z.string()), message: z.string() }),
  },
});

export const deleteOptOut = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  access: 'user',
  summary: 'Allow visits to a domain again',
  params: idParams,
});
