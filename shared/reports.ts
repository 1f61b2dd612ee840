import * as z from 'zod/mini';
import { RiskCounts, RiskLevel } from './domains.ts';
import { endpoint } from './endpoint.ts';
import { idParams, Pagination, pageNumber, pageSize } from './page.ts';

/** How many harmful entries a whole report carries; the rest is paged. */
export const reportDataLimit = 1000;

export const HarmfulBacklink = z.object({
  domain: z.string(),
  referringPage: z.string(),
  riskLevel: RiskLevel,
  reason: z.string(),
  source: z.string(),
});
export type HarmfulBacklink = z.infer<typeof HarmfulBacklink>;

/** What the reader took the file for. */
export const RecognisedFormat = z.object({
  tool: z.string(),
  report: z.string(),
  column: z.string(),
  delimiter: z.string(),
  encoding: z.string(),
});
export type RecognisedFormat = z.infer<typeof RecognisedFormat>;

export const SkippedRows = z.object({
  reason: z.enum(['empty', 'not a domain', 'own site', 'malformed row']),
  count: z.number(),
  /** 1-based lines of the first five. */
  lines: z.array(z.number()),
});
export type SkippedRows = z.infer<typeof SkippedRows>;

/** `toxicityPercentage` is 100 × toxicDomains / uniqueDomains, unrounded. */
export const ReportSummary = z.object({
  id: z.number(),
  profileId: z.number(),
  dateCreated: z.string(),
  toxicityRating: RiskLevel,
  toxicityPercentage: z.number(),
  totalBacklinks: z.number(),
  /** Distinct hosts. */
  totalDomains: z.number(),
  /** Distinct registrable domains. A host without one (gov.uk, medium.com) counts as itself: it is a site that links. */
  uniqueDomains: z.number(),
  /** Distinct registrable domains with a listed host. */
  toxicDomains: z.number(),
  harmfulBacklinks: z.number(),
  /** Harmful backlinks by the risk level of their domain. */
  riskCounts: RiskCounts,
  fileName: z.string(),
  format: RecognisedFormat,
  skipped: z.array(SkippedRows),
});
export type ReportSummary = z.infer<typeof ReportSummary>;

/** `reportData` is the JSON text of the first harmful entries, highest risk first. */
export const Report = z.extend(ReportSummary, { domain: z.string(), reportData: z.string() });
export type Report = z.infer<typeof Report>;

const legacyOwner = z.object({ firebaseUid: z.optional(z.string()), userId: z.optional(z.string()) });

export const listReports = endpoint({
  method: 'GET',
  path: '/api/profiles/:id/reports',
  access: 'user',
  summary: 'Reports of one of my websites, newest first',
  params: idParams,
  query: legacyOwner,
  responses: { 200: z.array(ReportSummary) },
});

export const getReport = endpoint({
  method: 'GET',
  path: '/api/reports/:id',
  access: 'user',
  summary: 'One report',
  params: idParams,
  responses: { 200: Report },
});

export const listHarmfulBacklinks = endpoint({
  method: 'GET',
  path: '/api/reports/:id/backlinks',
  access: 'user',
  summary: 'Page through the harmful backlinks of a report',
  params: idParams,
  query: z.object({ page: pageNumber, pageSize: pageSize(50), riskLevel: z.optional(RiskLevel) }),
  responses: { 200: z.object({ backlinks: z.array(HarmfulBacklink), pagination: Pagination }) },
});

export const deleteReport = endpoint({
  method: 'DELETE',
  path: '/api/reports/:id',
  access: 'user',
  summary: 'Delete a report',
  params: idParams,
});

export const exportHarmfulBacklinks = endpoint({
  method: 'GET',
  path: '/api/reports/:id/export-harmful-backlinks',
  access: 'user',
  summary: 'The harmful backlinks of a report as CSV',
  params: idParams,
  query: legacyOwner,
});

export const exportDisavow = endpoint({
  method: 'GET',
  path: '/api/reports/:id/disavow.txt',
  access: 'user',
  summary: "The harmful domains of a report as a file for Google's disavow tool",
  params: idParams,
  /** With a level, only the domains of exactly that level. */
  query: z.object({ riskLevel: z.optional(RiskLevel) }),
});
