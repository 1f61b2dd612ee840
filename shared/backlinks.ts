import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { HarmfulBacklink, ReportSummary } from './reports.ts';

/** The report of one analysis and its first harmful backlinks. */
export const AnalysisResult = z.extend(z.omit(ReportSummary, { id: true }), {
  reportId: z.number(),
  toxicBacklinks: z.array(HarmfulBacklink),
});
export type AnalysisResult = z.infer<typeof AnalysisResult>;

/** `progress` is 0 to 100. `message` is the current step, or the error of a failed analysis. */
export const Analysis = z.object({
  analysisId: z.string(),
  profileId: z.number(),
  status: z.enum(['processing', 'completed', 'failed', 'cancelled']),
  progress: z.number(),
  message: z.string(),
  fileName: z.string(),
  result: z.nullable(AnalysisResult),
});
export type Analysis = z.infer<typeof Analysis>;

const analysisParams = z.object({ id: z.uuid() });

export const analyzeBacklinks = endpoint({
  method: 'POST',
  path: '/api/backlinks/analyze',
  access: 'user',
  summary: 'Analyze a backlink export (multipart: backlinkFile, profileId)',
  upload: 'backlinkFile',
  responses: { 200: AnalysisResult, 202: Analysis },
});

export const getAnalysis = endpoint({
  method: 'GET',
  path: '/api/backlinks/analyses/:id',
  access: 'user',
  summary: 'Get the progress and result of an analysis',
  params: analysisParams,
  responses: { 200: Analysis },
});

export const listAnalyses = endpoint({
  method: 'GET',
  path: '/api/backlinks/analyses',
  access: 'user',
  summary: 'List my running analyses',
  responses: { 200: z.array(Analysis) },
});

export const cancelAnalysis = endpoint({
  method: 'DELETE',
  path: '/api/backlinks/analyses/:id',
  access: 'user',
  summary: 'Cancel a running analysis',
  params: analysisParams,
});
