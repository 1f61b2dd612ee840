import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { idParams, Pagination, pageNumber, pageSize } from '../platform/page.ts';
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

export const ReportShare = z.object({ expiresAt: z.string() });
export type ReportShare = z.infer<typeof ReportShare>;

export const getReportShare = endpoint({
  method: 'GET',
  path: '/api/reports/:id/share',
  access: 'user',
  summary: 'Get when the link of a report expires; null if the report is not shared',
  params: idParams,
  responses: { 200: z.nullable(ReportShare) },
});

export const shareReport = endpoint({
  method: 'POST',
  path: '/api/reports/:id/share',
  access: 'user',
  summary: 'Create a link with which anyone can read a report, in place of its earlier link',
  needsProof: true,
  params: idParams,
  /** Without a body, the link has the default expiry. */
  body: z.nullish(z.object({ days: z._default(z.number().check(z.int(), z.gte(1), z.lte(365)), defaultShareDays) })),
  /** The URL is only in this response, because the server stores a hash of its token. */
  responses: { 201: z.extend(ReportShare, { url: z.string() }) },
});

export const revokeReportShare = endpoint({
  method: 'DELETE',
  path: '/api/reports/:id/share',
  access: 'user',
  summary: 'End the link of a report',
  params: idParams,
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

/** What readers of a shared report see: nothing about the account, its files, or the ids of other objects. */
export const SharedReport = z.extend(ReportFigures, {
  /** The website. */
  domain: z.string(),
  dateCreated: z.string(),
  expiresAt: z.string(),
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
