import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { idParams, Pagination, pageNumber, pageSize, rowId } from '../platform/page.ts';
import { ReportBrand } from './report-brand.ts';
import {
  HarmfulBacklink,
  listToxicDomains,
  lostLinks,
  ReportFigures,
  ReportOverview,
  ToxicDomain,
  toxicDomainFilter,
} from './reports.ts';

/** How long a link works, in days, unless the request says otherwise. */
export const defaultShareDays = 30;

/** Most links of a report that work at the same time. */
export const maxReportShares = 20;

export const ReportShare = z.object({
  id: z.number(),
  /** Null if the server cannot read it: links of an earlier version, or another secret key. */
  url: z.nullable(z.string()),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type ReportShare = z.infer<typeof ReportShare>;

export const listReportShares = endpoint({
  method: 'GET',
  path: '/api/reports/:id/share',
  access: 'user',
  summary: 'List the links of a report that work now, newest first',
  params: idParams,
  responses: { 200: z.array(ReportShare) },
});

export const shareReport = endpoint({
  method: 'POST',
  path: '/api/reports/:id/share',
  access: 'user',
  summary: 'Create a link with which anyone can read a report',
  needsProof: true,
  params: idParams,
  /** Without a body, the link has the default expiry. */
  body: z.nullish(z.object({ days: z._default(z.number().check(z.int(), z.gte(1), z.lte(365)), defaultShareDays) })),
  responses: { 201: z.extend(ReportShare, { url: z.string() }) },
});

export const revokeReportShares = endpoint({
  method: 'DELETE',
  path: '/api/reports/:id/share',
  access: 'user',
  summary: 'End a link of a report; without `link`, all of its links',
  params: idParams,
  query: z.object({ link: z.optional(rowId(Number.MAX_SAFE_INTEGER)) }),
});

/** Any text: a malformed token gets the same response as an unknown one. */
const tokenParams = z.object({ token: z.string() });

const ComparedFigures = z.pick(ReportFigures, {
  uniqueDomains: true,
  toxicDomains: true,
  toxicityPercentage: true,
  totalBacklinks: true,
  harmfulBacklinks: true,
});

/** One report in the history of a website. */
const HistoryEntry = z.extend(ComparedFigures, { dateCreated: z.string(), includingLost: z.nullable(ComparedFigures) });
export type HistoryEntry = z.infer<typeof HistoryEntry>;

/**
 * What readers of a shared report see: of the account only the name and logo on its reports, and nothing about its
 * files or the ids of other objects.
 */
export const SharedReport = z.extend(ReportFigures, {
  /** The website. */
  domain: z.string(),
  dateCreated: z.string(),
  expiresAt: z.string(),
  brand: ReportBrand,
  lostBacklinks: z.number(),
  includingLost: z.nullable(ReportFigures),
  /** The reports of the website up to this one, which comes first. */
  history: z.array(HistoryEntry),
  overview: z.extend(ReportOverview, {
    previous: z.nullable(z.object({ dateCreated: z.string(), newDomains: z.number(), goneDomains: z.number() })),
  }),
});
export type SharedReport = z.infer<typeof SharedReport>;

export const getSharedReport = endpoint({
  method: 'GET',
  path: '/api/shared/:token',
  access: 'public',
  summary: 'Get a shared report',
  params: tokenParams,
  /** `lost` changes the overview. */
  query: z.object({ lost: lostLinks }),
  responses: { 200: SharedReport },
});

export const getSharedLogo = endpoint({
  method: 'GET',
  path: '/api/shared/:token/logo',
  access: 'public',
  summary: 'Get the logo on a shared report',
  params: tokenParams,
});

/** Without the note, which can name people, and without the id. */
const SharedDomain = z.omit(ToxicDomain, { domainId: true, note: true });

export const listSharedDomains = endpoint({
  method: 'GET',
  path: '/api/shared/:token/domains',
  access: 'public',
  summary: 'List the listed domains of a shared report',
  params: tokenParams,
  query: z.object({ ...toxicDomainFilter, page: pageNumber, pageSize: pageSize(50) }),
  responses: { 200: z.extend(listToxicDomains.responses[200], { domains: z.array(SharedDomain) }) },
});

/** Without the names of the sources, of which some are not public. */
export const SharedBacklink = z.omit(HarmfulBacklink, { source: true });
export type SharedBacklink = z.infer<typeof SharedBacklink>;

export const listSharedBacklinks = endpoint({
  method: 'GET',
  path: '/api/shared/:token/backlinks',
  access: 'public',
  summary: 'List the links of a listed domain of a shared report',
  params: tokenParams,
  query: z.object({
    domain: z.string().check(z.minLength(1), z.maxLength(253)),
    page: pageNumber,
    pageSize: pageSize(50),
    lost: lostLinks,
  }),
  responses: { 200: z.object({ backlinks: z.array(SharedBacklink), pagination: Pagination }) },
});
