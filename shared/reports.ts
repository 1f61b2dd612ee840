import * as z from 'zod/mini';
import { RiskCounts, RiskLevel } from './domains.ts';
import { endpoint } from './endpoint.ts';
import { idParams, Pagination, pageNumber, pageSize } from './page.ts';

/** How many harmful backlinks `reportData` contains. `listHarmfulBacklinks` pages through all of them. */
export const maxReportDataEntries = 1000;

export const HarmfulBacklink = z.object({
  domain: z.string(),
  referringPage: z.string(),
  riskLevel: RiskLevel,
  reason: z.string(),
  source: z.string(),
});
export type HarmfulBacklink = z.infer<typeof HarmfulBacklink>;

/** The format that was detected in an uploaded file. */
export const DetectedFormat = z.object({
  tool: z.string(),
  report: z.string(),
  column: z.string(),
  delimiter: z.string(),
  encoding: z.string(),
});
export type DetectedFormat = z.infer<typeof DetectedFormat>;

export const SkippedRows = z.object({
  reason: z.enum(['empty', 'not a domain', 'own site', 'malformed row']),
  count: z.number(),
  /** Line numbers of the first five skipped rows, 1-based. */
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
  /** Distinct hostnames. */
  totalDomains: z.number(),
  /** Distinct registrable domains. A public suffix that links as a site (gov.uk, medium.com) counts as a domain. */
  uniqueDomains: z.number(),
  /** Distinct registrable domains with at least one listed host. */
  toxicDomains: z.number(),
  harmfulBacklinks: z.number(),
  /** Harmful backlinks by the risk level of their domain. */
  riskCounts: RiskCounts,
  fileName: z.string(),
  format: DetectedFormat,
  skipped: z.array(SkippedRows),
});
export type ReportSummary = z.infer<typeof ReportSummary>;

/** `reportData` is a JSON string with the first harmful backlinks, highest risk first. */
export const Report = z.extend(ReportSummary, { domain: z.string(), reportData: z.string() });
export type Report = z.infer<typeof Report>;

const legacyOwnerQuery = z.object({ firebaseUid: z.optional(z.string()), userId: z.optional(z.string()) });

export const listReports = endpoint({
  method: 'GET',
  path: '/api/profiles/:id/reports',
  access: 'user',
  summary: 'List the reports of one of my websites, newest first',
  params: idParams,
  query: legacyOwnerQuery,
  responses: { 200: z.array(ReportSummary) },
});

export const getReport = endpoint({
  method: 'GET',
  path: '/api/reports/:id',
  access: 'user',
  summary: 'Get a report',
  params: idParams,
  responses: { 200: Report },
});

export const listHarmfulBacklinks = endpoint({
  method: 'GET',
  path: '/api/reports/:id/backlinks',
  access: 'user',
  summary: 'List the harmful backlinks of a report, page by page',
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
  summary: 'Export the harmful backlinks of a report as CSV',
  params: idParams,
  query: legacyOwnerQuery,
});

export const exportDisavow = endpoint({
  method: 'GET',
  path: '/api/reports/:id/disavow.txt',
  access: 'user',
  summary: "Export the harmful domains of a report for Google's disavow tool",
  params: idParams,
  /** With `riskLevel`, the file contains only the domains at exactly that level. */
  query: z.object({ riskLevel: z.optional(RiskLevel) }),
});
