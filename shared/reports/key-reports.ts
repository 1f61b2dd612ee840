import * as z from 'zod/mini';
import { RiskLevel } from '../blacklist/domains.ts';
import { cursorPage, cursorQuery } from '../platform/cursor.ts';
import { endpoint } from '../platform/endpoint.ts';
import { idParams } from '../platform/page.ts';
import { getUpload } from '../platform/uploads.ts';
import { Analysis, answerQuestion, UploadQuestion } from './backlinks.ts';
import { HarmfulBacklink, ReportFigures, ReportOverview, ReviewState, ToxicDomain } from './reports.ts';

// Analyses and reports for API keys. openapi-components.ts describes each field.

/** The figures leave out lost links. */
export const KeyReport = z.extend(ReportFigures, {
  id: z.number(),
  websiteId: z.number(),
  dateCreated: z.string(),
  fileName: z.string(),
  lostBacklinks: z.number(),
});
export type KeyReport = z.infer<typeof KeyReport>;

export const KeyReportDetails = z.extend(KeyReport, {
  domain: z.string(),
  listedDomains: z.number(),
  decisionCounts: ReportOverview.shape.decisionCounts,
});
export type KeyReportDetails = z.infer<typeof KeyReportDetails>;

export const KeyToxicDomain = z.omit(ToxicDomain, { domainId: true, live: true });
export type KeyToxicDomain = z.infer<typeof KeyToxicDomain>;

export const StartedAnalysis = z.object({ id: z.string(), status: Analysis.shape.status });
export type StartedAnalysis = z.infer<typeof StartedAnalysis>;

export const KeyAnalysis = z.extend(StartedAnalysis, {
  progress: z.number(),
  message: z.string(),
  reportId: z.optional(z.number()),
  question: z.optional(UploadQuestion),
});
export type KeyAnalysis = z.infer<typeof KeyAnalysis>;

/**
 * The form has one or more `file` parts, and optionally `column` and `ask`, as in `analyzeBacklinks`. A request with
 * the headers of `uploadHeaders` can be continued.
 */
export const startAnalysisWithKey = endpoint({
  method: 'POST',
  path: '/api/v1/websites/:id/analyses',
  access: 'key',
  scope: 'write',
  summary: 'Upload and analyze backlink exports',
  params: idParams,
  upload: 'file',
  responses: { 202: StartedAnalysis },
});

export const getUploadWithKey = endpoint({
  method: 'GET',
  path: '/api/v1/uploads/:id',
  access: 'key',
  scope: 'write',
  summary: 'Get where to continue an interrupted upload',
  params: getUpload.params,
  responses: getUpload.responses,
});

export const getAnalysisWithKey = endpoint({
  method: 'GET',
  path: '/api/v1/analyses/:id',
  access: 'key',
  scope: 'read',
  summary: 'Get the progress of an analysis',
  hasETag: true,
  params: answerQuestion.params,
  responses: { 200: KeyAnalysis },
});

export const answerQuestionWithKey = endpoint({
  method: 'POST',
  path: '/api/v1/analyses/:id/answer',
  access: 'key',
  scope: 'write',
  summary: 'Answer the question of a waiting analysis',
  params: answerQuestion.params,
  body: answerQuestion.body,
  responses: { 202: StartedAnalysis },
});

export const listReportsWithKey = endpoint({
  method: 'GET',
  path: '/api/v1/websites/:id/reports',
  access: 'key',
  scope: 'read',
  summary: 'List the reports of a website, newest first',
  hasETag: true,
  params: idParams,
  query: z.object(cursorQuery),
  responses: { 200: cursorPage(KeyReport) },
});

export const getReportWithKey = endpoint({
  method: 'GET',
  path: '/api/v1/reports/:id',
  access: 'key',
  scope: 'read',
  summary: 'Get a report',
  hasETag: true,
  params: idParams,
  responses: { 200: KeyReportDetails },
});

export const listToxicDomainsWithKey = endpoint({
  method: 'GET',
  path: '/api/v1/reports/:id/domains',
  access: 'key',
  scope: 'read',
  summary: 'List the listed domains of a report, highest risk first',
  hasETag: true,
  params: idParams,
  query: z.object({
    ...cursorQuery,
    riskLevel: z.optional(RiskLevel),
    decision: z.optional(ReviewState),
    /** Part of a name. */
    search: z.optional(z.string().check(z.trim(), z.maxLength(253))),
  }),
  responses: { 200: cursorPage(KeyToxicDomain) },
});

export const listLinksWithKey = endpoint({
  method: 'GET',
  path: '/api/v1/reports/:id/links',
  access: 'key',
  scope: 'read',
  summary: 'List the harmful backlinks of a report, highest risk first',
  hasETag: true,
  params: idParams,
  query: z.object({ ...cursorQuery, domain: z.optional(z.string().check(z.maxLength(253))) }),
  responses: { 200: cursorPage(HarmfulBacklink) },
});
