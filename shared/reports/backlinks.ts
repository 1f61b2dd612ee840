import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { HarmfulBacklink, ReportSummary } from './reports.ts';
import { SignalResult } from './signals.ts';

/** The report of one analysis and its first harmful backlinks. */
export const AnalysisResult = z.extend(z.omit(ReportSummary, { id: true }), {
  reportId: z.number(),
  signals: z.array(SignalResult),
  toxicBacklinks: z.array(HarmfulBacklink),
});
export type AnalysisResult = z.infer<typeof AnalysisResult>;

/** Most files in one upload. Together they are not larger than one file may be. */
export const maxUploadFiles = 20;

/** What the user must decide before a file can be read. */
export const UploadQuestion = z.union([
  z.object({
    /** Several columns could contain the linking pages. */
    about: z.literal('column'),
    file: z.string(),
    /** The names of the columns, or an empty text for a column without a name. */
    columns: z.array(z.string()),
    /** The first rows. A row may be shorter than the header. */
    rows: z.array(z.array(z.string())),
  }),
  z.object({
    /** No link in the first 256 kB of the file points to the website. */
    about: z.literal('site'),
    file: z.string(),
    /** The website that most of them point to, and how many others there are: `a.com and 2 other sites`. */
    site: z.string(),
  }),
  z.object({
    /** The file is a disavow file, which is not analyzed. */
    about: z.literal('disavow'),
    file: z.string(),
  }),
]);
export type UploadQuestion = z.infer<typeof UploadQuestion>;

/**
 * `progress` is 0 to 100. `message` is the current step, the question of a waiting analysis, or the error of a failed
 * one.
 */
export const Analysis = z.object({
  analysisId: z.string(),
  profileId: z.number(),
  status: z.enum(['processing', 'waiting', 'completed', 'failed', 'cancelled']),
  progress: z.number(),
  message: z.string(),
  fileName: z.string(),
  question: z.nullable(UploadQuestion),
  result: z.nullable(AnalysisResult),
});
export type Analysis = z.infer<typeof Analysis>;

/** The start of a text file that a preview needs, in bytes. Longer starts are read to here. */
export const previewBytes = 262_144;
/** Archives and workbooks cannot be cut, so a preview reads them only up to this size, in bytes. */
export const maxPreviewedArchiveBytes = 5 * 1024 * 1024;

/** What the start of an export says about it. */
export const UploadPreview = z.object({
  file: z.string(),
  /** Empty if the file cannot be read. */
  tool: z.string(),
  report: z.string(),
  /** The website that the links point to. Null without a target column, and for links to several websites. */
  site: z.nullable(z.string()),
  /** The number of links in the part that was read. */
  backlinks: z.number(),
  /** Whether the file that was sent was read to its end. */
  complete: z.boolean(),
  /** Why the file cannot be analyzed. */
  error: z.nullable(z.string()),
});
export type UploadPreview = z.infer<typeof UploadPreview>;

const analysisParams = z.object({ id: z.uuid() });

/**
 * The form has one or more `backlinkFile` parts, `profileId`, and optionally `column`, the name of the column with the
 * linking pages. With `ask=1` an analysis waits for the user where the content of a file leaves a question; without it,
 * the most likely answer is used.
 */
export const analyzeBacklinks = endpoint({
  method: 'POST',
  path: '/api/backlinks/analyze',
  access: 'user',
  summary: 'Analyze backlink exports (multipart: backlinkFile, profileId)',
  upload: 'backlinkFile',
  responses: { 200: AnalysisResult, 202: Analysis },
});

/**
 * The form has one or more `backlinkFile` parts. The first `previewBytes` of a text file are enough. Nothing is stored.
 * The previews are in the order of the parts.
 */
export const previewBacklinks = endpoint({
  method: 'POST',
  path: '/api/backlinks/preview',
  access: 'user',
  summary: 'Recognize backlink exports and the websites that they are for (multipart: backlinkFile)',
  changes: false,
  upload: 'backlinkFile',
  responses: { 200: z.array(UploadPreview) },
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

/** Answers the question of a waiting analysis, which then continues with the files it already has. */
export const answerQuestion = endpoint({
  method: 'POST',
  path: '/api/backlinks/analyses/:id/answer',
  access: 'user',
  summary: 'Answer the question of a waiting analysis',
  params: analysisParams,
  body: z.object({
    /** Zero-based column with the linking pages, for a question about the column. */
    column: z.optional(z.int().check(z.gte(0))),
    /** Analyze links to another site, for a question about the site. */
    anyway: z.optional(z.literal(true)),
    /** Analyze the upload for the site that it is about, which is added to my websites if it is new. */
    instead: z.optional(z.literal(true)),
    /** Add a disavow file to those of the website, for a question about it. Other files are analyzed. */
    merge: z.optional(z.literal(true)),
  }),
  responses: { 200: AnalysisResult, 202: Analysis },
});
